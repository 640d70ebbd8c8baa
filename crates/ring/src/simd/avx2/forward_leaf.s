lea r10, [r9 + 1024]
lea r11, [r9 + 2048]
vbroadcastsd ymm0, qword ptr [rsi + 0]
vbroadcastsd ymm1, qword ptr [rsi + 8]
vbroadcastsd ymm2, qword ptr [rsi + 64]
vbroadcastsd ymm3, qword ptr [rsi + 72]
vbroadcastsd ymm4, qword ptr [rsi + 40]
vmulpd ymm5, ymm1, ymmword ptr [rdi + 192]
vmulpd ymm6, ymm0, ymmword ptr [rdi + 192]
vmulpd ymm7, ymm3, ymmword ptr [rdi + 704]
vmulpd ymm8, ymm2, ymmword ptr [rdi + 704]
vmulpd ymm9, ymm4, ymmword ptr [rdi + 448]
vbroadcastsd ymm10, qword ptr [rsi + 32]
vfmsub231pd ymm5, ymm0, ymmword ptr [rdi + 128]
vfmadd231pd ymm6, ymm1, ymmword ptr [rdi + 128]
vbroadcastsd ymm1, qword ptr [rsi + 104]
vfmsub231pd ymm7, ymm2, ymmword ptr [rdi + 640]
vfmadd231pd ymm8, ymm3, ymmword ptr [rdi + 640]
vbroadcastsd ymm3, qword ptr [rsi + 96]
vfmsub231pd ymm9, ymm10, ymmword ptr [rdi + 384]
vmulpd ymm10, ymm10, ymmword ptr [rdi + 448]
vmulpd ymm2, ymm1, ymmword ptr [rdi + 960]
vbroadcastsd ymm0, qword ptr [rsi + 48]
vfmadd231pd ymm10, ymm4, ymmword ptr [rdi + 384]
vbroadcastsd ymm4, qword ptr [rsi + 56]
vfmsub231pd ymm2, ymm3, ymmword ptr [rdi + 896]
vmulpd ymm3, ymm3, ymmword ptr [rdi + 960]
vfmadd231pd ymm3, ymm1, ymmword ptr [rdi + 896]
vmovupd ymm1, ymmword ptr [rdi + 0]
vmovupd ymm11, ymmword ptr [rdi + 512]
vfmadd132pd ymm11, ymm1, ymm0
vmovupd ymm12, ymmword ptr [rdi + 64]
vmovupd ymm13, ymmword ptr [rdi + 512]
vfmadd132pd ymm13, ymm12, ymm4
vsubpd ymm14, ymm5, ymm7
vaddpd ymm7, ymm5, ymm7
vbroadcastsd ymm5, qword ptr [rsi + 24]
vfnmadd231pd ymm11, ymm4, ymmword ptr [rdi + 576]
vbroadcastsd ymm4, qword ptr [rsi + 16]
vsubpd ymm15, ymm6, ymm8
vaddpd ymm8, ymm6, ymm8
vfmadd231pd ymm13, ymm0, ymmword ptr [rdi + 576]
vbroadcastsd ymm0, qword ptr [rsi + 88]
vmulpd ymm6, ymm5, ymmword ptr [rdi + 320]
vbroadcastsd ymm12, qword ptr [rsi + 80]
vfmsub231pd ymm6, ymm4, ymmword ptr [rdi + 256]
vmulpd ymm4, ymm4, ymmword ptr [rdi + 320]
vfmadd231pd ymm4, ymm5, ymmword ptr [rdi + 256]
vmulpd ymm5, ymm0, ymmword ptr [rdi + 832]
vfmsub231pd ymm5, ymm12, ymmword ptr [rdi + 768]
vsubpd ymm1, ymm9, ymm2
vaddpd ymm2, ymm9, ymm2
vmulpd ymm12, ymm12, ymmword ptr [rdi + 832]
vfmadd231pd ymm12, ymm0, ymmword ptr [rdi + 768]
vsubpd ymm0, ymm10, ymm3
vaddpd ymm3, ymm10, ymm3
vaddpd ymm10, ymm15, ymm1
vsubpd ymm1, ymm15, ymm1
vaddpd ymm15, ymm7, ymm2
vsubpd ymm2, ymm7, ymm2
vmovupd ymm7, ymmword ptr [rcx + 0]
vmovupd ymm9, ymmword ptr [rdi + 0]
vfmsub132pd ymm9, ymm11, ymm7
vfmsub132pd ymm7, ymm13, ymmword ptr [rdi + 64]
vmovapd ymmword ptr [r11 + 0], ymm2
vsubpd ymm2, ymm14, ymm0
vaddpd ymm0, ymm14, ymm0
vaddpd ymm14, ymm8, ymm3
vsubpd ymm3, ymm8, ymm3
vsubpd ymm8, ymm6, ymm5
vaddpd ymm5, ymm6, ymm5
vsubpd ymm6, ymm4, ymm12
vaddpd ymm12, ymm4, ymm12
vsubpd ymm4, ymm2, ymm10
vaddpd ymm10, ymm2, ymm10
vaddpd ymm2, ymm0, ymm1
vsubpd ymm1, ymm0, ymm1
vaddpd ymm0, ymm7, ymm8
vsubpd ymm8, ymm7, ymm8
vaddpd ymm7, ymm11, ymm5
vsubpd ymm5, ymm11, ymm5
vsubpd ymm11, ymm9, ymm6
vaddpd ymm6, ymm9, ymm6
vaddpd ymm9, ymm13, ymm12
vsubpd ymm12, ymm13, ymm12
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm0, ymm10
vfnmadd231pd ymm0, ymm10, ymmword ptr [rcx + 32]
vmovupd ymm10, ymmword ptr [rcx + 32]
vfmadd132pd ymm10, ymm8, ymm1
vfnmadd231pd ymm8, ymm1, ymmword ptr [rcx + 32]
vaddpd ymm1, ymm7, ymm15
vsubpd ymm15, ymm7, ymm15
vsubpd ymm7, ymm5, ymm3
vaddpd ymm3, ymm5, ymm3
vmovupd ymm5, ymmword ptr [rcx + 32]
vfmadd132pd ymm5, ymm11, ymm4
vfnmadd231pd ymm11, ymm4, ymmword ptr [rcx + 32]
vmovupd ymm4, ymmword ptr [rcx + 32]
vfnmadd132pd ymm4, ymm6, ymm2
vfmadd231pd ymm6, ymm2, ymmword ptr [rcx + 32]
vaddpd ymm2, ymm9, ymm14
vsubpd ymm14, ymm9, ymm14
vmovupd ymm9, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm4
vaddpd ymm4, ymm12, ymm9
vsubpd ymm9, ymm12, ymm9
vunpcklpd ymm12, ymm1, ymm15
vunpckhpd ymm15, ymm1, ymm15
vunpcklpd ymm1, ymm7, ymm3
vunpckhpd ymm3, ymm7, ymm3
vunpcklpd ymm7, ymm2, ymm14
vunpckhpd ymm14, ymm2, ymm14
vunpcklpd ymm2, ymm4, ymm9
vunpckhpd ymm9, ymm4, ymm9
vunpcklpd ymm4, ymm13, ymm0
vunpckhpd ymm0, ymm13, ymm0
vunpcklpd ymm13, ymm10, ymm8
vunpckhpd ymm8, ymm10, ymm8
vunpcklpd ymm10, ymm5, ymm11
vunpckhpd ymm11, ymm5, ymm11
vmovupd ymm5, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm3
vunpcklpd ymm3, ymm5, ymm6
vunpckhpd ymm6, ymm5, ymm6
vperm2f128 ymm5, ymm7, ymm4, 49
vinsertf128 ymm4, ymm7, xmm4, 1
vmovupd ymmword ptr [r10 + 64], ymm4
vmovupd ymmword ptr [r10 + 320], ymm5
vperm2f128 ymm5, ymm14, ymm0, 49
vinsertf128 ymm0, ymm14, xmm0, 1
vmovupd ymmword ptr [r10 + 192], ymm0
vmovupd ymmword ptr [r10 + 448], ymm5
vperm2f128 ymm5, ymm2, ymm13, 49
vinsertf128 ymm13, ymm2, xmm13, 1
vmovupd ymmword ptr [r10 + 96], ymm13
vmovupd ymmword ptr [r10 + 352], ymm5
vperm2f128 ymm5, ymm9, ymm8, 49
vinsertf128 ymm8, ymm9, xmm8, 1
vmovupd ymmword ptr [r10 + 224], ymm8
vmovupd ymmword ptr [r10 + 480], ymm5
vperm2f128 ymm5, ymm12, ymm10, 49
vinsertf128 ymm10, ymm12, xmm10, 1
vmovupd ymmword ptr [r10 + 0], ymm10
vmovupd ymmword ptr [r10 + 256], ymm5
vperm2f128 ymm5, ymm15, ymm11, 49
vinsertf128 ymm11, ymm15, xmm11, 1
vmovupd ymmword ptr [r10 + 128], ymm11
vperm2f128 ymm11, ymm1, ymm3, 49
vinsertf128 ymm3, ymm1, xmm3, 1
vmovupd ymmword ptr [r10 + 32], ymm3
vmovupd ymmword ptr [r10 + 384], ymm5
vmovupd ymm5, ymmword ptr [r11 + 0]
vperm2f128 ymm3, ymm5, ymm6, 49
vinsertf128 ymm6, ymm5, xmm6, 1
vmovupd ymmword ptr [r10 + 160], ymm6
vmovupd ymmword ptr [r10 + 288], ymm11
vmovupd ymmword ptr [r10 + 416], ymm3
vbroadcastsd ymm3, qword ptr [rsi + 8]
vbroadcastsd ymm11, qword ptr [rsi + 0]
vbroadcastsd ymm6, qword ptr [rsi + 72]
vbroadcastsd ymm5, qword ptr [rsi + 64]
vbroadcastsd ymm1, qword ptr [rsi + 40]
vmulpd ymm15, ymm3, ymmword ptr [rdi + 224]
vbroadcastsd ymm10, qword ptr [rsi + 32]
vmulpd ymm12, ymm11, ymmword ptr [rdi + 224]
vbroadcastsd ymm8, qword ptr [rsi + 104]
vmulpd ymm9, ymm6, ymmword ptr [rdi + 736]
vmulpd ymm13, ymm5, ymmword ptr [rdi + 736]
vmulpd ymm2, ymm1, ymmword ptr [rdi + 480]
vmulpd ymm0, ymm10, ymmword ptr [rdi + 480]
vmulpd ymm14, ymm8, ymmword ptr [rdi + 992]
vfmsub231pd ymm15, ymm11, ymmword ptr [rdi + 160]
vfmadd231pd ymm12, ymm3, ymmword ptr [rdi + 160]
vbroadcastsd ymm3, qword ptr [rsi + 96]
vfmsub231pd ymm9, ymm5, ymmword ptr [rdi + 672]
vfmadd231pd ymm13, ymm6, ymmword ptr [rdi + 672]
vfmsub231pd ymm2, ymm10, ymmword ptr [rdi + 416]
vbroadcastsd ymm10, qword ptr [rsi + 48]
vfmadd231pd ymm0, ymm1, ymmword ptr [rdi + 416]
vbroadcastsd ymm1, qword ptr [rsi + 56]
vfmsub231pd ymm14, ymm3, ymmword ptr [rdi + 928]
vmulpd ymm3, ymm3, ymmword ptr [rdi + 992]
vfmadd231pd ymm3, ymm8, ymmword ptr [rdi + 928]
vbroadcastsd ymm8, qword ptr [rsi + 24]
vmovupd ymm6, ymmword ptr [rdi + 32]
vmovupd ymm5, ymmword ptr [rdi + 544]
vfmadd132pd ymm5, ymm6, ymm10
vbroadcastsd ymm11, qword ptr [rsi + 16]
vmovupd ymm4, ymmword ptr [rdi + 96]
vmovupd ymm7, ymmword ptr [rdi + 544]
vfmadd132pd ymm7, ymm4, ymm1
vfnmadd231pd ymm5, ymm1, ymmword ptr [rdi + 608]
vfmadd231pd ymm7, ymm10, ymmword ptr [rdi + 608]
vmulpd ymm10, ymm8, ymmword ptr [rdi + 352]
vfmsub231pd ymm10, ymm11, ymmword ptr [rdi + 288]
vsubpd ymm1, ymm15, ymm9
vaddpd ymm9, ymm15, ymm9
vsubpd ymm15, ymm12, ymm13
vaddpd ymm13, ymm12, ymm13
vbroadcastsd ymm12, qword ptr [rsi + 88]
vmulpd ymm11, ymm11, ymmword ptr [rdi + 352]
vbroadcastsd ymm4, qword ptr [rsi + 80]
vfmadd231pd ymm11, ymm8, ymmword ptr [rdi + 288]
vsubpd ymm8, ymm2, ymm14
vaddpd ymm14, ymm2, ymm14
vmulpd ymm2, ymm12, ymmword ptr [rdi + 864]
vfmsub231pd ymm2, ymm4, ymmword ptr [rdi + 800]
vmulpd ymm4, ymm4, ymmword ptr [rdi + 864]
vfmadd231pd ymm4, ymm12, ymmword ptr [rdi + 800]
vsubpd ymm12, ymm0, ymm3
vaddpd ymm3, ymm0, ymm3
vaddpd ymm0, ymm15, ymm8
vsubpd ymm8, ymm15, ymm8
vaddpd ymm15, ymm9, ymm14
vsubpd ymm14, ymm9, ymm14
vfmsub132pd ymm6, ymm5, ymmword ptr [rcx + 0]
vmovupd ymm9, ymmword ptr [rcx + 0]
vfmsub132pd ymm9, ymm7, ymmword ptr [rdi + 96]
vmovapd ymmword ptr [r11 + 0], ymm14
vsubpd ymm14, ymm1, ymm12
vaddpd ymm12, ymm1, ymm12
vaddpd ymm1, ymm13, ymm3
vsubpd ymm3, ymm13, ymm3
vsubpd ymm13, ymm10, ymm2
vaddpd ymm2, ymm10, ymm2
vsubpd ymm10, ymm11, ymm4
vaddpd ymm4, ymm11, ymm4
vsubpd ymm11, ymm14, ymm0
vaddpd ymm0, ymm14, ymm0
vaddpd ymm14, ymm12, ymm8
vsubpd ymm8, ymm12, ymm8
vaddpd ymm12, ymm9, ymm13
vsubpd ymm13, ymm9, ymm13
vaddpd ymm9, ymm5, ymm2
vsubpd ymm2, ymm5, ymm2
vsubpd ymm5, ymm6, ymm10
vaddpd ymm10, ymm6, ymm10
vaddpd ymm6, ymm7, ymm4
vsubpd ymm4, ymm7, ymm4
vmovupd ymm7, ymmword ptr [rcx + 32]
vfmadd132pd ymm7, ymm12, ymm0
vfnmadd231pd ymm12, ymm0, ymmword ptr [rcx + 32]
vmovupd ymm0, ymmword ptr [rcx + 32]
vfmadd132pd ymm0, ymm13, ymm8
vfnmadd231pd ymm13, ymm8, ymmword ptr [rcx + 32]
vaddpd ymm8, ymm9, ymm15
vsubpd ymm15, ymm9, ymm15
vsubpd ymm9, ymm2, ymm3
vaddpd ymm3, ymm2, ymm3
vmovupd ymm2, ymmword ptr [rcx + 32]
vfmadd132pd ymm2, ymm5, ymm11
vfnmadd231pd ymm5, ymm11, ymmword ptr [rcx + 32]
vmovupd ymm11, ymmword ptr [rcx + 32]
vfnmadd132pd ymm11, ymm10, ymm14
vfmadd231pd ymm10, ymm14, ymmword ptr [rcx + 32]
vaddpd ymm14, ymm6, ymm1
vsubpd ymm1, ymm6, ymm1
vmovupd ymm6, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm14
vaddpd ymm14, ymm4, ymm6
vsubpd ymm6, ymm4, ymm6
vunpcklpd ymm4, ymm8, ymm15
vunpckhpd ymm15, ymm8, ymm15
vunpcklpd ymm8, ymm9, ymm3
vunpckhpd ymm3, ymm9, ymm3
vunpcklpd ymm9, ymm7, ymm12
vunpckhpd ymm12, ymm7, ymm12
vunpcklpd ymm7, ymm0, ymm13
vunpckhpd ymm13, ymm0, ymm13
vunpcklpd ymm0, ymm2, ymm5
vunpckhpd ymm5, ymm2, ymm5
vunpcklpd ymm2, ymm11, ymm10
vunpckhpd ymm10, ymm11, ymm10
vmovupd ymm11, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm13
vunpcklpd ymm13, ymm11, ymm1
vunpckhpd ymm1, ymm11, ymm1
vunpcklpd ymm11, ymm14, ymm6
vunpckhpd ymm6, ymm14, ymm6
vperm2f128 ymm14, ymm4, ymm0, 49
vinsertf128 ymm0, ymm4, xmm0, 1
vmovupd ymmword ptr [r10 + 512], ymm0
vmovupd ymmword ptr [r10 + 768], ymm14
vperm2f128 ymm14, ymm15, ymm5, 49
vinsertf128 ymm5, ymm15, xmm5, 1
vmovupd ymmword ptr [r10 + 640], ymm5
vmovupd ymmword ptr [r10 + 896], ymm14
vperm2f128 ymm14, ymm8, ymm2, 49
vinsertf128 ymm2, ymm8, xmm2, 1
vmovupd ymmword ptr [r10 + 544], ymm2
vmovupd ymmword ptr [r10 + 800], ymm14
vperm2f128 ymm14, ymm3, ymm10, 49
vinsertf128 ymm10, ymm3, xmm10, 1
vmovupd ymmword ptr [r10 + 672], ymm10
vmovupd ymmword ptr [r10 + 928], ymm14
vperm2f128 ymm14, ymm13, ymm9, 49
vinsertf128 ymm9, ymm13, xmm9, 1
vmovupd ymmword ptr [r10 + 576], ymm9
vmovupd ymmword ptr [r10 + 832], ymm14
vperm2f128 ymm14, ymm1, ymm12, 49
vinsertf128 ymm12, ymm1, xmm12, 1
vmovupd ymmword ptr [r10 + 704], ymm12
vperm2f128 ymm12, ymm11, ymm7, 49
vinsertf128 ymm7, ymm11, xmm7, 1
vmovupd ymmword ptr [r10 + 608], ymm7
vmovupd ymmword ptr [r10 + 960], ymm14
vmovupd ymm14, ymmword ptr [r11 + 0]
vperm2f128 ymm7, ymm6, ymm14, 49
vinsertf128 ymm14, ymm6, xmm14, 1
vmovupd ymmword ptr [r10 + 736], ymm14
vmovupd ymmword ptr [r10 + 864], ymm12
vmovupd ymmword ptr [r10 + 992], ymm7
add rsi, 112
add rdi, 1024
xchg r9, r10
dec r8
jz 3f
2:
vbroadcastsd ymm0, qword ptr [rsi + 0]
vbroadcastsd ymm1, qword ptr [rsi + 8]
vbroadcastsd ymm2, qword ptr [rsi + 64]
vbroadcastsd ymm3, qword ptr [rsi + 72]
vbroadcastsd ymm4, qword ptr [rsi + 40]
vmulpd ymm5, ymm1, ymmword ptr [rdi + 192]
vmulpd ymm6, ymm0, ymmword ptr [rdi + 192]
vmulpd ymm7, ymm3, ymmword ptr [rdi + 704]
vmulpd ymm8, ymm2, ymmword ptr [rdi + 704]
vmulpd ymm9, ymm4, ymmword ptr [rdi + 448]
vbroadcastsd ymm10, qword ptr [rsi + 32]
vfmsub231pd ymm5, ymm0, ymmword ptr [rdi + 128]
vfmadd231pd ymm6, ymm1, ymmword ptr [rdi + 128]
vbroadcastsd ymm1, qword ptr [rsi + 104]
vfmsub231pd ymm7, ymm2, ymmword ptr [rdi + 640]
vfmadd231pd ymm8, ymm3, ymmword ptr [rdi + 640]
vbroadcastsd ymm3, qword ptr [rsi + 96]
vfmsub231pd ymm9, ymm10, ymmword ptr [rdi + 384]
vmulpd ymm10, ymm10, ymmword ptr [rdi + 448]
vmulpd ymm2, ymm1, ymmword ptr [rdi + 960]
vbroadcastsd ymm0, qword ptr [rsi + 48]
vfmadd231pd ymm10, ymm4, ymmword ptr [rdi + 384]
vbroadcastsd ymm4, qword ptr [rsi + 56]
vfmsub231pd ymm2, ymm3, ymmword ptr [rdi + 896]
vmulpd ymm3, ymm3, ymmword ptr [rdi + 960]
vfmadd231pd ymm3, ymm1, ymmword ptr [rdi + 896]
vmovupd ymm1, ymmword ptr [rdi + 0]
vmovupd ymm11, ymmword ptr [rdi + 512]
vfmadd132pd ymm11, ymm1, ymm0
vmovupd ymm12, ymmword ptr [rdi + 64]
vmovupd ymm13, ymmword ptr [rdi + 512]
vfmadd132pd ymm13, ymm12, ymm4
vsubpd ymm14, ymm5, ymm7
vaddpd ymm7, ymm5, ymm7
vbroadcastsd ymm5, qword ptr [rsi + 24]
vfnmadd231pd ymm11, ymm4, ymmword ptr [rdi + 576]
vbroadcastsd ymm4, qword ptr [rsi + 16]
vsubpd ymm15, ymm6, ymm8
vaddpd ymm8, ymm6, ymm8
vfmadd231pd ymm13, ymm0, ymmword ptr [rdi + 576]
vbroadcastsd ymm0, qword ptr [rsi + 88]
vmulpd ymm6, ymm5, ymmword ptr [rdi + 320]
vbroadcastsd ymm12, qword ptr [rsi + 80]
vfmsub231pd ymm6, ymm4, ymmword ptr [rdi + 256]
vmulpd ymm4, ymm4, ymmword ptr [rdi + 320]
vfmadd231pd ymm4, ymm5, ymmword ptr [rdi + 256]
vmulpd ymm5, ymm0, ymmword ptr [rdi + 832]
vfmsub231pd ymm5, ymm12, ymmword ptr [rdi + 768]
vsubpd ymm1, ymm9, ymm2
vaddpd ymm2, ymm9, ymm2
vmulpd ymm12, ymm12, ymmword ptr [rdi + 832]
vfmadd231pd ymm12, ymm0, ymmword ptr [rdi + 768]
vsubpd ymm0, ymm10, ymm3
vaddpd ymm3, ymm10, ymm3
vaddpd ymm10, ymm15, ymm1
vsubpd ymm1, ymm15, ymm1
vaddpd ymm15, ymm7, ymm2
vsubpd ymm2, ymm7, ymm2
vmovupd ymm7, ymmword ptr [rcx + 0]
vmovupd ymm9, ymmword ptr [rdi + 0]
vfmsub132pd ymm9, ymm11, ymm7
vfmsub132pd ymm7, ymm13, ymmword ptr [rdi + 64]
vmovapd ymmword ptr [r11 + 0], ymm2
vsubpd ymm2, ymm14, ymm0
vaddpd ymm0, ymm14, ymm0
vaddpd ymm14, ymm8, ymm3
vsubpd ymm3, ymm8, ymm3
vsubpd ymm8, ymm6, ymm5
vaddpd ymm5, ymm6, ymm5
vsubpd ymm6, ymm4, ymm12
vaddpd ymm12, ymm4, ymm12
vsubpd ymm4, ymm2, ymm10
vaddpd ymm10, ymm2, ymm10
vaddpd ymm2, ymm0, ymm1
vsubpd ymm1, ymm0, ymm1
vaddpd ymm0, ymm7, ymm8
vsubpd ymm8, ymm7, ymm8
vaddpd ymm7, ymm11, ymm5
vsubpd ymm5, ymm11, ymm5
vsubpd ymm11, ymm9, ymm6
vaddpd ymm6, ymm9, ymm6
vaddpd ymm9, ymm13, ymm12
vsubpd ymm12, ymm13, ymm12
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm0, ymm10
vfnmadd231pd ymm0, ymm10, ymmword ptr [rcx + 32]
vmovupd ymm10, ymmword ptr [rcx + 32]
vfmadd132pd ymm10, ymm8, ymm1
vfnmadd231pd ymm8, ymm1, ymmword ptr [rcx + 32]
vaddpd ymm1, ymm7, ymm15
vsubpd ymm15, ymm7, ymm15
vsubpd ymm7, ymm5, ymm3
vaddpd ymm3, ymm5, ymm3
vmovupd ymm5, ymmword ptr [rcx + 32]
vfmadd132pd ymm5, ymm11, ymm4
vfnmadd231pd ymm11, ymm4, ymmword ptr [rcx + 32]
vmovupd ymm4, ymmword ptr [rcx + 32]
vfnmadd132pd ymm4, ymm6, ymm2
vfmadd231pd ymm6, ymm2, ymmword ptr [rcx + 32]
vaddpd ymm2, ymm9, ymm14
vsubpd ymm14, ymm9, ymm14
vmovupd ymm9, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm4
vaddpd ymm4, ymm12, ymm9
vsubpd ymm9, ymm12, ymm9
vunpcklpd ymm12, ymm1, ymm15
vunpckhpd ymm15, ymm1, ymm15
vunpcklpd ymm1, ymm7, ymm3
vunpckhpd ymm3, ymm7, ymm3
vunpcklpd ymm7, ymm2, ymm14
vunpckhpd ymm14, ymm2, ymm14
vunpcklpd ymm2, ymm4, ymm9
vunpckhpd ymm9, ymm4, ymm9
vunpcklpd ymm4, ymm13, ymm0
vunpckhpd ymm0, ymm13, ymm0
vunpcklpd ymm13, ymm10, ymm8
vunpckhpd ymm8, ymm10, ymm8
vunpcklpd ymm10, ymm5, ymm11
vunpckhpd ymm11, ymm5, ymm11
vmovupd ymm5, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm3
vunpcklpd ymm3, ymm5, ymm6
vunpckhpd ymm6, ymm5, ymm6
vperm2f128 ymm5, ymm7, ymm4, 49
vinsertf128 ymm4, ymm7, xmm4, 1
vmovupd ymmword ptr [r10 + 64], ymm4
vmovupd ymmword ptr [r10 + 320], ymm5
vperm2f128 ymm5, ymm14, ymm0, 49
vinsertf128 ymm0, ymm14, xmm0, 1
vmovupd ymmword ptr [r10 + 192], ymm0
vmovupd ymmword ptr [r10 + 448], ymm5
vperm2f128 ymm5, ymm2, ymm13, 49
vinsertf128 ymm13, ymm2, xmm13, 1
vmovupd ymmword ptr [r10 + 96], ymm13
vmovupd ymmword ptr [r10 + 352], ymm5
vperm2f128 ymm5, ymm9, ymm8, 49
vinsertf128 ymm8, ymm9, xmm8, 1
vmovupd ymmword ptr [r10 + 224], ymm8
vmovupd ymmword ptr [r10 + 480], ymm5
vperm2f128 ymm5, ymm12, ymm10, 49
vinsertf128 ymm10, ymm12, xmm10, 1
vmovupd ymmword ptr [r10 + 0], ymm10
vmovupd ymmword ptr [r10 + 256], ymm5
vperm2f128 ymm5, ymm15, ymm11, 49
vinsertf128 ymm11, ymm15, xmm11, 1
vmovupd ymmword ptr [r10 + 128], ymm11
vperm2f128 ymm11, ymm1, ymm3, 49
vinsertf128 ymm3, ymm1, xmm3, 1
vmovupd ymmword ptr [r10 + 32], ymm3
vmovupd ymmword ptr [r10 + 384], ymm5
vmovupd ymm5, ymmword ptr [r11 + 0]
vperm2f128 ymm3, ymm5, ymm6, 49
vmovupd ymm1, ymmword ptr [r9 + 224]
vinsertf128 ymm6, ymm5, xmm6, 1
vmovupd ymmword ptr [r10 + 160], ymm6
vmovupd ymm6, ymmword ptr [r9 + 736]
vmovupd ymmword ptr [r10 + 288], ymm11
vmovupd ymmword ptr [r10 + 416], ymm3
vmovupd ymm3, ymmword ptr [r9 + 480]
vmulpd ymm11, ymm1, ymmword ptr [rdx + 96]
vmulpd ymm1, ymm1, ymmword ptr [rdx + 32]
vmovupd ymm5, ymmword ptr [r9 + 992]
vmulpd ymm15, ymm6, ymmword ptr [rdx + 608]
vmovupd ymm10, ymmword ptr [r9 + 160]
vmulpd ymm6, ymm6, ymmword ptr [rdx + 544]
vmulpd ymm12, ymm3, ymmword ptr [rdx + 352]
vmovupd ymm8, ymmword ptr [r9 + 672]
vmulpd ymm3, ymm3, ymmword ptr [rdx + 288]
vmulpd ymm9, ymm5, ymmword ptr [rdx + 864]
vmovupd ymm13, ymmword ptr [r9 + 416]
vfmsub231pd ymm11, ymm10, ymmword ptr [rdx + 32]
vfmadd231pd ymm1, ymm10, ymmword ptr [rdx + 96]
vmovupd ymm10, ymmword ptr [r9 + 928]
vfmsub231pd ymm15, ymm8, ymmword ptr [rdx + 544]
vfmadd231pd ymm6, ymm8, ymmword ptr [rdx + 608]
vfmsub231pd ymm12, ymm13, ymmword ptr [rdx + 288]
vmovupd ymm8, ymmword ptr [r9 + 32]
vmovupd ymm2, ymmword ptr [r9 + 544]
vfmadd231pd ymm3, ymm13, ymmword ptr [rdx + 352]
vmovupd ymm13, ymmword ptr [r9 + 96]
vfmsub231pd ymm9, ymm10, ymmword ptr [rdx + 800]
vmovupd ymm0, ymmword ptr [r9 + 608]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 800]
vfmadd231pd ymm5, ymm10, ymmword ptr [rdx + 864]
vmovupd ymm10, ymmword ptr [r9 + 352]
vmovupd ymm14, ymmword ptr [rdx + 416]
vfmadd132pd ymm14, ymm8, ymm2
vmovupd ymm4, ymmword ptr [r9 + 288]
vfmadd132pd ymm2, ymm13, ymmword ptr [rdx + 480]
vfnmadd231pd ymm14, ymm0, ymmword ptr [rdx + 480]
vfmadd231pd ymm2, ymm0, ymmword ptr [rdx + 416]
vmulpd ymm0, ymm10, ymmword ptr [rdx + 224]
vfmsub231pd ymm0, ymm4, ymmword ptr [rdx + 160]
vsubpd ymm7, ymm11, ymm15
vaddpd ymm15, ymm11, ymm15
vsubpd ymm11, ymm1, ymm6
vaddpd ymm6, ymm1, ymm6
vmovupd ymm1, ymmword ptr [r9 + 864]
vmulpd ymm10, ymm10, ymmword ptr [rdx + 160]
vmovupd ymm13, ymmword ptr [r9 + 800]
vfmadd231pd ymm10, ymm4, ymmword ptr [rdx + 224]
vsubpd ymm4, ymm12, ymm9
vaddpd ymm9, ymm12, ymm9
vmulpd ymm12, ymm1, ymmword ptr [rdx + 736]
vfmsub231pd ymm12, ymm13, ymmword ptr [rdx + 672]
vmulpd ymm1, ymm1, ymmword ptr [rdx + 672]
vfmadd231pd ymm1, ymm13, ymmword ptr [rdx + 736]
vsubpd ymm13, ymm3, ymm5
vaddpd ymm5, ymm3, ymm5
vaddpd ymm3, ymm11, ymm4
vsubpd ymm4, ymm11, ymm4
vaddpd ymm11, ymm15, ymm9
vsubpd ymm9, ymm15, ymm9
vfmsub132pd ymm8, ymm14, ymmword ptr [rcx + 0]
vmovupd ymm15, ymmword ptr [rcx + 0]
vfmsub132pd ymm15, ymm2, ymmword ptr [r9 + 96]
vmovapd ymmword ptr [r11 + 0], ymm9
vsubpd ymm9, ymm7, ymm13
vaddpd ymm13, ymm7, ymm13
vaddpd ymm7, ymm6, ymm5
vsubpd ymm5, ymm6, ymm5
vsubpd ymm6, ymm0, ymm12
vaddpd ymm12, ymm0, ymm12
vsubpd ymm0, ymm10, ymm1
vaddpd ymm1, ymm10, ymm1
vsubpd ymm10, ymm9, ymm3
vaddpd ymm3, ymm9, ymm3
vaddpd ymm9, ymm13, ymm4
vsubpd ymm4, ymm13, ymm4
vaddpd ymm13, ymm15, ymm6
vsubpd ymm6, ymm15, ymm6
vaddpd ymm15, ymm14, ymm12
vsubpd ymm12, ymm14, ymm12
vsubpd ymm14, ymm8, ymm0
vaddpd ymm0, ymm8, ymm0
vaddpd ymm8, ymm2, ymm1
vsubpd ymm1, ymm2, ymm1
vmovupd ymm2, ymmword ptr [rcx + 32]
vfmadd132pd ymm2, ymm13, ymm3
vfnmadd231pd ymm13, ymm3, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 800], ymm2
vmovupd ymmword ptr [rdi - 288], ymm13
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm6, ymm4
vfnmadd231pd ymm6, ymm4, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 544], ymm13
vmovupd ymmword ptr [rdi - 32], ymm6
vaddpd ymm6, ymm15, ymm11
vsubpd ymm11, ymm15, ymm11
vmovupd ymmword ptr [rdi - 992], ymm6
vmovupd ymmword ptr [rdi - 480], ymm11
vmovupd ymm11, ymmword ptr [rcx + 32]
vfmadd132pd ymm11, ymm14, ymm10
vfnmadd231pd ymm14, ymm10, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 864], ymm11
vmovupd ymmword ptr [rdi - 352], ymm14
vmovupd ymm14, ymmword ptr [rcx + 32]
vfnmadd132pd ymm14, ymm0, ymm9
vfmadd231pd ymm0, ymm9, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 608], ymm14
vmovupd ymmword ptr [rdi - 96], ymm0
vsubpd ymm0, ymm12, ymm5
vaddpd ymm5, ymm12, ymm5
vaddpd ymm12, ymm8, ymm7
vsubpd ymm7, ymm8, ymm7
vmovupd ymm8, ymmword ptr [r11 + 0]
vaddpd ymm14, ymm1, ymm8
vsubpd ymm8, ymm1, ymm8
vmovupd ymmword ptr [rdi - 736], ymm0
vmovupd ymmword ptr [rdi - 224], ymm5
vbroadcastsd ymm5, qword ptr [rsi + 8]
vmovupd ymmword ptr [rdi - 928], ymm12
vbroadcastsd ymm12, qword ptr [rsi + 0]
vmovupd ymmword ptr [rdi - 416], ymm7
vbroadcastsd ymm7, qword ptr [rsi + 72]
vmovupd ymmword ptr [rdi - 672], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 64]
vmovupd ymmword ptr [rdi - 160], ymm8
vbroadcastsd ymm8, qword ptr [rsi + 40]
vmulpd ymm0, ymm5, ymmword ptr [rdi + 224]
vbroadcastsd ymm1, qword ptr [rsi + 32]
vmulpd ymm9, ymm12, ymmword ptr [rdi + 224]
vbroadcastsd ymm11, qword ptr [rsi + 104]
vmulpd ymm10, ymm7, ymmword ptr [rdi + 736]
vmulpd ymm6, ymm14, ymmword ptr [rdi + 736]
vmulpd ymm15, ymm8, ymmword ptr [rdi + 480]
vmulpd ymm13, ymm1, ymmword ptr [rdi + 480]
vmulpd ymm4, ymm11, ymmword ptr [rdi + 992]
vfmsub231pd ymm0, ymm12, ymmword ptr [rdi + 160]
vfmadd231pd ymm9, ymm5, ymmword ptr [rdi + 160]
vbroadcastsd ymm5, qword ptr [rsi + 96]
vfmsub231pd ymm10, ymm14, ymmword ptr [rdi + 672]
vfmadd231pd ymm6, ymm7, ymmword ptr [rdi + 672]
vfmsub231pd ymm15, ymm1, ymmword ptr [rdi + 416]
vbroadcastsd ymm1, qword ptr [rsi + 48]
vfmadd231pd ymm13, ymm8, ymmword ptr [rdi + 416]
vbroadcastsd ymm8, qword ptr [rsi + 56]
vfmsub231pd ymm4, ymm5, ymmword ptr [rdi + 928]
vmulpd ymm5, ymm5, ymmword ptr [rdi + 992]
vfmadd231pd ymm5, ymm11, ymmword ptr [rdi + 928]
vbroadcastsd ymm11, qword ptr [rsi + 24]
vmovupd ymm7, ymmword ptr [rdi + 32]
vmovupd ymm14, ymmword ptr [rdi + 544]
vfmadd132pd ymm14, ymm7, ymm1
vbroadcastsd ymm12, qword ptr [rsi + 16]
vmovupd ymm2, ymmword ptr [rdi + 96]
vmovupd ymm3, ymmword ptr [rdi + 544]
vfmadd132pd ymm3, ymm2, ymm8
vfnmadd231pd ymm14, ymm8, ymmword ptr [rdi + 608]
vfmadd231pd ymm3, ymm1, ymmword ptr [rdi + 608]
vmulpd ymm1, ymm11, ymmword ptr [rdi + 352]
vfmsub231pd ymm1, ymm12, ymmword ptr [rdi + 288]
vsubpd ymm8, ymm0, ymm10
vaddpd ymm10, ymm0, ymm10
vsubpd ymm0, ymm9, ymm6
vaddpd ymm6, ymm9, ymm6
vbroadcastsd ymm9, qword ptr [rsi + 88]
vmulpd ymm12, ymm12, ymmword ptr [rdi + 352]
vbroadcastsd ymm2, qword ptr [rsi + 80]
vfmadd231pd ymm12, ymm11, ymmword ptr [rdi + 288]
vsubpd ymm11, ymm15, ymm4
vaddpd ymm4, ymm15, ymm4
vmulpd ymm15, ymm9, ymmword ptr [rdi + 864]
vfmsub231pd ymm15, ymm2, ymmword ptr [rdi + 800]
vmulpd ymm2, ymm2, ymmword ptr [rdi + 864]
vfmadd231pd ymm2, ymm9, ymmword ptr [rdi + 800]
vsubpd ymm9, ymm13, ymm5
vaddpd ymm5, ymm13, ymm5
vaddpd ymm13, ymm0, ymm11
vsubpd ymm11, ymm0, ymm11
vaddpd ymm0, ymm10, ymm4
vsubpd ymm4, ymm10, ymm4
vfmsub132pd ymm7, ymm14, ymmword ptr [rcx + 0]
vmovupd ymm10, ymmword ptr [rcx + 0]
vfmsub132pd ymm10, ymm3, ymmword ptr [rdi + 96]
vmovapd ymmword ptr [r11 + 0], ymm4
vsubpd ymm4, ymm8, ymm9
vaddpd ymm9, ymm8, ymm9
vaddpd ymm8, ymm6, ymm5
vsubpd ymm5, ymm6, ymm5
vsubpd ymm6, ymm1, ymm15
vaddpd ymm15, ymm1, ymm15
vsubpd ymm1, ymm12, ymm2
vaddpd ymm2, ymm12, ymm2
vsubpd ymm12, ymm4, ymm13
vaddpd ymm13, ymm4, ymm13
vaddpd ymm4, ymm9, ymm11
vsubpd ymm11, ymm9, ymm11
vaddpd ymm9, ymm10, ymm6
vsubpd ymm6, ymm10, ymm6
vaddpd ymm10, ymm14, ymm15
vsubpd ymm15, ymm14, ymm15
vsubpd ymm14, ymm7, ymm1
vaddpd ymm1, ymm7, ymm1
vaddpd ymm7, ymm3, ymm2
vsubpd ymm2, ymm3, ymm2
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm9, ymm13
vfnmadd231pd ymm9, ymm13, ymmword ptr [rcx + 32]
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm6, ymm11
vfnmadd231pd ymm6, ymm11, ymmword ptr [rcx + 32]
vaddpd ymm11, ymm10, ymm0
vsubpd ymm0, ymm10, ymm0
vsubpd ymm10, ymm15, ymm5
vaddpd ymm5, ymm15, ymm5
vmovupd ymm15, ymmword ptr [rcx + 32]
vfmadd132pd ymm15, ymm14, ymm12
vfnmadd231pd ymm14, ymm12, ymmword ptr [rcx + 32]
vmovupd ymm12, ymmword ptr [rcx + 32]
vfnmadd132pd ymm12, ymm1, ymm4
vfmadd231pd ymm1, ymm4, ymmword ptr [rcx + 32]
vaddpd ymm4, ymm7, ymm8
vsubpd ymm8, ymm7, ymm8
vmovupd ymm7, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm4
vaddpd ymm4, ymm2, ymm7
vsubpd ymm7, ymm2, ymm7
vunpcklpd ymm2, ymm11, ymm0
vunpckhpd ymm0, ymm11, ymm0
vunpcklpd ymm11, ymm10, ymm5
vunpckhpd ymm5, ymm10, ymm5
vunpcklpd ymm10, ymm3, ymm9
vunpckhpd ymm9, ymm3, ymm9
vunpcklpd ymm3, ymm13, ymm6
vunpckhpd ymm6, ymm13, ymm6
vunpcklpd ymm13, ymm15, ymm14
vunpckhpd ymm14, ymm15, ymm14
vunpcklpd ymm15, ymm12, ymm1
vunpckhpd ymm1, ymm12, ymm1
vmovupd ymm12, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm6
vunpcklpd ymm6, ymm12, ymm8
vunpckhpd ymm8, ymm12, ymm8
vunpcklpd ymm12, ymm4, ymm7
vunpckhpd ymm7, ymm4, ymm7
vperm2f128 ymm4, ymm2, ymm13, 49
vinsertf128 ymm13, ymm2, xmm13, 1
vmovupd ymmword ptr [r10 + 512], ymm13
vmovupd ymmword ptr [r10 + 768], ymm4
vperm2f128 ymm4, ymm0, ymm14, 49
vinsertf128 ymm14, ymm0, xmm14, 1
vmovupd ymmword ptr [r10 + 640], ymm14
vmovupd ymmword ptr [r10 + 896], ymm4
vperm2f128 ymm4, ymm11, ymm15, 49
vinsertf128 ymm15, ymm11, xmm15, 1
vmovupd ymmword ptr [r10 + 544], ymm15
vmovupd ymmword ptr [r10 + 800], ymm4
vperm2f128 ymm4, ymm5, ymm1, 49
vinsertf128 ymm1, ymm5, xmm1, 1
vmovupd ymmword ptr [r10 + 672], ymm1
vmovupd ymmword ptr [r10 + 928], ymm4
vperm2f128 ymm4, ymm6, ymm10, 49
vinsertf128 ymm10, ymm6, xmm10, 1
vmovupd ymmword ptr [r10 + 576], ymm10
vmovupd ymmword ptr [r10 + 832], ymm4
vperm2f128 ymm4, ymm8, ymm9, 49
vinsertf128 ymm9, ymm8, xmm9, 1
vmovupd ymmword ptr [r10 + 704], ymm9
vperm2f128 ymm9, ymm12, ymm3, 49
vinsertf128 ymm3, ymm12, xmm3, 1
vmovupd ymmword ptr [r10 + 608], ymm3
vmovupd ymmword ptr [r10 + 960], ymm4
vmovupd ymm4, ymmword ptr [r11 + 0]
vperm2f128 ymm3, ymm7, ymm4, 49
vmovupd ymm12, ymmword ptr [r9 + 192]
vinsertf128 ymm4, ymm7, xmm4, 1
vmovupd ymmword ptr [r10 + 736], ymm4
vmovupd ymm4, ymmword ptr [r9 + 704]
vmovupd ymmword ptr [r10 + 864], ymm9
vmovupd ymmword ptr [r10 + 992], ymm3
vmovupd ymm3, ymmword ptr [r9 + 448]
vmulpd ymm9, ymm12, ymmword ptr [rdx + 64]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 0]
vmovupd ymm7, ymmword ptr [r9 + 960]
vmulpd ymm8, ymm4, ymmword ptr [rdx + 576]
vmovupd ymm10, ymmword ptr [r9 + 128]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 512]
vmulpd ymm6, ymm3, ymmword ptr [rdx + 320]
vmovupd ymm1, ymmword ptr [r9 + 640]
vmulpd ymm3, ymm3, ymmword ptr [rdx + 256]
vmulpd ymm5, ymm7, ymmword ptr [rdx + 832]
vmovupd ymm15, ymmword ptr [r9 + 384]
vfmsub231pd ymm9, ymm10, ymmword ptr [rdx + 0]
vfmadd231pd ymm12, ymm10, ymmword ptr [rdx + 64]
vmovupd ymm10, ymmword ptr [r9 + 896]
vfmsub231pd ymm8, ymm1, ymmword ptr [rdx + 512]
vfmadd231pd ymm4, ymm1, ymmword ptr [rdx + 576]
vfmsub231pd ymm6, ymm15, ymmword ptr [rdx + 256]
vmovupd ymm1, ymmword ptr [r9 + 0]
vmovupd ymm11, ymmword ptr [r9 + 512]
vfmadd231pd ymm3, ymm15, ymmword ptr [rdx + 320]
vmovupd ymm15, ymmword ptr [r9 + 64]
vfmsub231pd ymm5, ymm10, ymmword ptr [rdx + 768]
vmovupd ymm14, ymmword ptr [r9 + 576]
vmulpd ymm7, ymm7, ymmword ptr [rdx + 768]
vfmadd231pd ymm7, ymm10, ymmword ptr [rdx + 832]
vmovupd ymm10, ymmword ptr [r9 + 320]
vmovupd ymm0, ymmword ptr [rdx + 384]
vfmadd132pd ymm0, ymm1, ymm11
vmovupd ymm13, ymmword ptr [r9 + 256]
vfmadd132pd ymm11, ymm15, ymmword ptr [rdx + 448]
vfnmadd231pd ymm0, ymm14, ymmword ptr [rdx + 448]
vfmadd231pd ymm11, ymm14, ymmword ptr [rdx + 384]
vmulpd ymm14, ymm10, ymmword ptr [rdx + 192]
vfmsub231pd ymm14, ymm13, ymmword ptr [rdx + 128]
vsubpd ymm2, ymm9, ymm8
vaddpd ymm8, ymm9, ymm8
vsubpd ymm9, ymm12, ymm4
vaddpd ymm4, ymm12, ymm4
vmovupd ymm12, ymmword ptr [r9 + 832]
vmulpd ymm10, ymm10, ymmword ptr [rdx + 128]
vmovupd ymm15, ymmword ptr [r9 + 768]
vfmadd231pd ymm10, ymm13, ymmword ptr [rdx + 192]
vsubpd ymm13, ymm6, ymm5
vaddpd ymm5, ymm6, ymm5
vmulpd ymm6, ymm12, ymmword ptr [rdx + 704]
vfmsub231pd ymm6, ymm15, ymmword ptr [rdx + 640]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 640]
vfmadd231pd ymm12, ymm15, ymmword ptr [rdx + 704]
vsubpd ymm15, ymm3, ymm7
vaddpd ymm7, ymm3, ymm7
vaddpd ymm3, ymm9, ymm13
vsubpd ymm13, ymm9, ymm13
vaddpd ymm9, ymm8, ymm5
vsubpd ymm5, ymm8, ymm5
vfmsub132pd ymm1, ymm0, ymmword ptr [rcx + 0]
vmovupd ymm8, ymmword ptr [rcx + 0]
vfmsub132pd ymm8, ymm11, ymmword ptr [r9 + 64]
vmovapd ymmword ptr [r11 + 0], ymm5
vsubpd ymm5, ymm2, ymm15
vaddpd ymm15, ymm2, ymm15
vaddpd ymm2, ymm4, ymm7
vsubpd ymm7, ymm4, ymm7
vsubpd ymm4, ymm14, ymm6
vaddpd ymm6, ymm14, ymm6
vsubpd ymm14, ymm10, ymm12
vaddpd ymm12, ymm10, ymm12
vsubpd ymm10, ymm5, ymm3
vaddpd ymm3, ymm5, ymm3
vaddpd ymm5, ymm15, ymm13
vsubpd ymm13, ymm15, ymm13
vaddpd ymm15, ymm8, ymm4
vsubpd ymm4, ymm8, ymm4
vaddpd ymm8, ymm0, ymm6
vsubpd ymm6, ymm0, ymm6
vsubpd ymm0, ymm1, ymm14
vaddpd ymm14, ymm1, ymm14
vaddpd ymm1, ymm11, ymm12
vsubpd ymm12, ymm11, ymm12
vmovupd ymm11, ymmword ptr [rcx + 32]
vfmadd132pd ymm11, ymm15, ymm3
vfnmadd231pd ymm15, ymm3, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 832], ymm11
vmovupd ymmword ptr [rdi - 320], ymm15
vmovupd ymm15, ymmword ptr [rcx + 32]
vfmadd132pd ymm15, ymm4, ymm13
vfnmadd231pd ymm4, ymm13, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 576], ymm15
vmovupd ymmword ptr [rdi - 64], ymm4
vaddpd ymm4, ymm8, ymm9
vsubpd ymm9, ymm8, ymm9
vmovupd ymmword ptr [rdi - 1024], ymm4
vmovupd ymmword ptr [rdi - 512], ymm9
vmovupd ymm9, ymmword ptr [rcx + 32]
vfmadd132pd ymm9, ymm0, ymm10
vfnmadd231pd ymm0, ymm10, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 896], ymm9
vmovupd ymmword ptr [rdi - 384], ymm0
vmovupd ymm0, ymmword ptr [rcx + 32]
vfnmadd132pd ymm0, ymm14, ymm5
vfmadd231pd ymm14, ymm5, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 640], ymm0
vmovupd ymmword ptr [rdi - 128], ymm14
vsubpd ymm14, ymm6, ymm7
vaddpd ymm7, ymm6, ymm7
vaddpd ymm6, ymm1, ymm2
vsubpd ymm2, ymm1, ymm2
vmovupd ymm1, ymmword ptr [r11 + 0]
vaddpd ymm0, ymm12, ymm1
vsubpd ymm1, ymm12, ymm1
vmovupd ymmword ptr [rdi - 768], ymm14
vmovupd ymmword ptr [rdi - 256], ymm7
vmovupd ymmword ptr [rdi - 960], ymm6
vmovupd ymmword ptr [rdi - 448], ymm2
vmovupd ymmword ptr [rdi - 704], ymm0
vmovupd ymmword ptr [rdi - 192], ymm1
add rsi, 112
add rdx, 896
add rdi, 1024
xchg r9, r10
dec r8
jnz 2b
3:
vmovupd ymm0, ymmword ptr [r9 + 224]
vmovupd ymm1, ymmword ptr [r9 + 736]
vmovupd ymm2, ymmword ptr [r9 + 480]
vmulpd ymm3, ymm0, ymmword ptr [rdx + 96]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 32]
vmovupd ymm4, ymmword ptr [r9 + 992]
vmulpd ymm5, ymm1, ymmword ptr [rdx + 608]
vmovupd ymm6, ymmword ptr [r9 + 160]
vmulpd ymm1, ymm1, ymmword ptr [rdx + 544]
vmulpd ymm7, ymm2, ymmword ptr [rdx + 352]
vmovupd ymm8, ymmword ptr [r9 + 672]
vmulpd ymm2, ymm2, ymmword ptr [rdx + 288]
vmulpd ymm9, ymm4, ymmword ptr [rdx + 864]
vmovupd ymm10, ymmword ptr [r9 + 416]
vfmsub231pd ymm3, ymm6, ymmword ptr [rdx + 32]
vfmadd231pd ymm0, ymm6, ymmword ptr [rdx + 96]
vmovupd ymm6, ymmword ptr [r9 + 928]
vfmsub231pd ymm5, ymm8, ymmword ptr [rdx + 544]
vfmadd231pd ymm1, ymm8, ymmword ptr [rdx + 608]
vfmsub231pd ymm7, ymm10, ymmword ptr [rdx + 288]
vmovupd ymm8, ymmword ptr [r9 + 32]
vmovupd ymm11, ymmword ptr [r9 + 544]
vfmadd231pd ymm2, ymm10, ymmword ptr [rdx + 352]
vmovupd ymm10, ymmword ptr [r9 + 96]
vfmsub231pd ymm9, ymm6, ymmword ptr [rdx + 800]
vmovupd ymm12, ymmword ptr [r9 + 608]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 800]
vfmadd231pd ymm4, ymm6, ymmword ptr [rdx + 864]
vmovupd ymm6, ymmword ptr [r9 + 352]
vmovupd ymm13, ymmword ptr [rdx + 416]
vfmadd132pd ymm13, ymm8, ymm11
vmovupd ymm14, ymmword ptr [r9 + 288]
vfmadd132pd ymm11, ymm10, ymmword ptr [rdx + 480]
vfnmadd231pd ymm13, ymm12, ymmword ptr [rdx + 480]
vfmadd231pd ymm11, ymm12, ymmword ptr [rdx + 416]
vmulpd ymm12, ymm6, ymmword ptr [rdx + 224]
vfmsub231pd ymm12, ymm14, ymmword ptr [rdx + 160]
vsubpd ymm15, ymm3, ymm5
vaddpd ymm5, ymm3, ymm5
vsubpd ymm3, ymm0, ymm1
vaddpd ymm1, ymm0, ymm1
vmovupd ymm0, ymmword ptr [r9 + 864]
vmulpd ymm6, ymm6, ymmword ptr [rdx + 160]
vmovupd ymm10, ymmword ptr [r9 + 800]
vfmadd231pd ymm6, ymm14, ymmword ptr [rdx + 224]
vsubpd ymm14, ymm7, ymm9
vaddpd ymm9, ymm7, ymm9
vmulpd ymm7, ymm0, ymmword ptr [rdx + 736]
vfmsub231pd ymm7, ymm10, ymmword ptr [rdx + 672]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 672]
vfmadd231pd ymm0, ymm10, ymmword ptr [rdx + 736]
vsubpd ymm10, ymm2, ymm4
vaddpd ymm4, ymm2, ymm4
vaddpd ymm2, ymm3, ymm14
vsubpd ymm14, ymm3, ymm14
vaddpd ymm3, ymm5, ymm9
vsubpd ymm9, ymm5, ymm9
vfmsub132pd ymm8, ymm13, ymmword ptr [rcx + 0]
vmovupd ymm5, ymmword ptr [rcx + 0]
vfmsub132pd ymm5, ymm11, ymmword ptr [r9 + 96]
vmovapd ymmword ptr [r11 + 0], ymm9
vsubpd ymm9, ymm15, ymm10
vaddpd ymm10, ymm15, ymm10
vaddpd ymm15, ymm1, ymm4
vsubpd ymm4, ymm1, ymm4
vsubpd ymm1, ymm12, ymm7
vaddpd ymm7, ymm12, ymm7
vsubpd ymm12, ymm6, ymm0
vaddpd ymm0, ymm6, ymm0
vsubpd ymm6, ymm9, ymm2
vaddpd ymm2, ymm9, ymm2
vaddpd ymm9, ymm10, ymm14
vsubpd ymm14, ymm10, ymm14
vaddpd ymm10, ymm5, ymm1
vsubpd ymm1, ymm5, ymm1
vaddpd ymm5, ymm13, ymm7
vsubpd ymm7, ymm13, ymm7
vsubpd ymm13, ymm8, ymm12
vaddpd ymm12, ymm8, ymm12
vaddpd ymm8, ymm11, ymm0
vsubpd ymm0, ymm11, ymm0
vmovupd ymm11, ymmword ptr [rcx + 32]
vfmadd132pd ymm11, ymm10, ymm2
vfnmadd231pd ymm10, ymm2, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 800], ymm11
vmovupd ymmword ptr [rdi - 288], ymm10
vmovupd ymm10, ymmword ptr [rcx + 32]
vfmadd132pd ymm10, ymm1, ymm14
vfnmadd231pd ymm1, ymm14, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 544], ymm10
vmovupd ymmword ptr [rdi - 32], ymm1
vaddpd ymm1, ymm5, ymm3
vsubpd ymm3, ymm5, ymm3
vmovupd ymmword ptr [rdi - 992], ymm1
vmovupd ymmword ptr [rdi - 480], ymm3
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm13, ymm6
vfnmadd231pd ymm13, ymm6, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 864], ymm3
vmovupd ymmword ptr [rdi - 352], ymm13
vmovupd ymm13, ymmword ptr [rcx + 32]
vfnmadd132pd ymm13, ymm12, ymm9
vfmadd231pd ymm12, ymm9, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 608], ymm13
vmovupd ymmword ptr [rdi - 96], ymm12
vsubpd ymm12, ymm7, ymm4
vaddpd ymm4, ymm7, ymm4
vaddpd ymm7, ymm8, ymm15
vsubpd ymm15, ymm8, ymm15
vmovupd ymm8, ymmword ptr [r11 + 0]
vaddpd ymm13, ymm0, ymm8
vsubpd ymm8, ymm0, ymm8
vmovupd ymmword ptr [rdi - 736], ymm12
vmovupd ymmword ptr [rdi - 224], ymm4
vmovupd ymmword ptr [rdi - 928], ymm7
vmovupd ymmword ptr [rdi - 416], ymm15
vmovupd ymmword ptr [rdi - 672], ymm13
vmovupd ymmword ptr [rdi - 160], ymm8
vmovupd ymm8, ymmword ptr [r9 + 192]
vmovupd ymm13, ymmword ptr [r9 + 704]
vmovupd ymm15, ymmword ptr [r9 + 448]
vmulpd ymm7, ymm8, ymmword ptr [rdx + 64]
vmulpd ymm8, ymm8, ymmword ptr [rdx + 0]
vmovupd ymm4, ymmword ptr [r9 + 960]
vmulpd ymm12, ymm13, ymmword ptr [rdx + 576]
vmovupd ymm0, ymmword ptr [r9 + 128]
vmulpd ymm13, ymm13, ymmword ptr [rdx + 512]
vmulpd ymm9, ymm15, ymmword ptr [rdx + 320]
vmovupd ymm3, ymmword ptr [r9 + 640]
vmulpd ymm15, ymm15, ymmword ptr [rdx + 256]
vmulpd ymm6, ymm4, ymmword ptr [rdx + 832]
vmovupd ymm1, ymmword ptr [r9 + 384]
vfmsub231pd ymm7, ymm0, ymmword ptr [rdx + 0]
vfmadd231pd ymm8, ymm0, ymmword ptr [rdx + 64]
vmovupd ymm0, ymmword ptr [r9 + 896]
vfmsub231pd ymm12, ymm3, ymmword ptr [rdx + 512]
vfmadd231pd ymm13, ymm3, ymmword ptr [rdx + 576]
vfmsub231pd ymm9, ymm1, ymmword ptr [rdx + 256]
vmovupd ymm3, ymmword ptr [r9 + 0]
vmovupd ymm5, ymmword ptr [r9 + 512]
vfmadd231pd ymm15, ymm1, ymmword ptr [rdx + 320]
vmovupd ymm1, ymmword ptr [r9 + 64]
vfmsub231pd ymm6, ymm0, ymmword ptr [rdx + 768]
vmovupd ymm10, ymmword ptr [r9 + 576]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 768]
vfmadd231pd ymm4, ymm0, ymmword ptr [rdx + 832]
vmovupd ymm0, ymmword ptr [r9 + 320]
vmovupd ymm14, ymmword ptr [rdx + 384]
vfmadd132pd ymm14, ymm3, ymm5
vmovupd ymm11, ymmword ptr [r9 + 256]
vfmadd132pd ymm5, ymm1, ymmword ptr [rdx + 448]
vfnmadd231pd ymm14, ymm10, ymmword ptr [rdx + 448]
vfmadd231pd ymm5, ymm10, ymmword ptr [rdx + 384]
vmulpd ymm10, ymm0, ymmword ptr [rdx + 192]
vfmsub231pd ymm10, ymm11, ymmword ptr [rdx + 128]
vsubpd ymm2, ymm7, ymm12
vaddpd ymm12, ymm7, ymm12
vsubpd ymm7, ymm8, ymm13
vaddpd ymm13, ymm8, ymm13
vmovupd ymm8, ymmword ptr [r9 + 832]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 128]
vmovupd ymm1, ymmword ptr [r9 + 768]
vfmadd231pd ymm0, ymm11, ymmword ptr [rdx + 192]
vsubpd ymm11, ymm9, ymm6
vaddpd ymm6, ymm9, ymm6
vmulpd ymm9, ymm8, ymmword ptr [rdx + 704]
vfmsub231pd ymm9, ymm1, ymmword ptr [rdx + 640]
vmulpd ymm8, ymm8, ymmword ptr [rdx + 640]
vfmadd231pd ymm8, ymm1, ymmword ptr [rdx + 704]
vsubpd ymm1, ymm15, ymm4
vaddpd ymm4, ymm15, ymm4
vaddpd ymm15, ymm7, ymm11
vsubpd ymm11, ymm7, ymm11
vaddpd ymm7, ymm12, ymm6
vsubpd ymm6, ymm12, ymm6
vfmsub132pd ymm3, ymm14, ymmword ptr [rcx + 0]
vmovupd ymm12, ymmword ptr [rcx + 0]
vfmsub132pd ymm12, ymm5, ymmword ptr [r9 + 64]
vmovapd ymmword ptr [r11 + 0], ymm6
vsubpd ymm6, ymm2, ymm1
vaddpd ymm1, ymm2, ymm1
vaddpd ymm2, ymm13, ymm4
vsubpd ymm4, ymm13, ymm4
vsubpd ymm13, ymm10, ymm9
vaddpd ymm9, ymm10, ymm9
vsubpd ymm10, ymm0, ymm8
vaddpd ymm8, ymm0, ymm8
vsubpd ymm0, ymm6, ymm15
vaddpd ymm15, ymm6, ymm15
vaddpd ymm6, ymm1, ymm11
vsubpd ymm11, ymm1, ymm11
vaddpd ymm1, ymm12, ymm13
vsubpd ymm13, ymm12, ymm13
vaddpd ymm12, ymm14, ymm9
vsubpd ymm9, ymm14, ymm9
vsubpd ymm14, ymm3, ymm10
vaddpd ymm10, ymm3, ymm10
vaddpd ymm3, ymm5, ymm8
vsubpd ymm8, ymm5, ymm8
vmovupd ymm5, ymmword ptr [rcx + 32]
vfmadd132pd ymm5, ymm1, ymm15
vfnmadd231pd ymm1, ymm15, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 832], ymm5
vmovupd ymmword ptr [rdi - 320], ymm1
vmovupd ymm1, ymmword ptr [rcx + 32]
vfmadd132pd ymm1, ymm13, ymm11
vfnmadd231pd ymm13, ymm11, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 576], ymm1
vmovupd ymmword ptr [rdi - 64], ymm13
vaddpd ymm13, ymm12, ymm7
vsubpd ymm7, ymm12, ymm7
vmovupd ymmword ptr [rdi - 1024], ymm13
vmovupd ymmword ptr [rdi - 512], ymm7
vmovupd ymm7, ymmword ptr [rcx + 32]
vfmadd132pd ymm7, ymm14, ymm0
vfnmadd231pd ymm14, ymm0, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 896], ymm7
vmovupd ymmword ptr [rdi - 384], ymm14
vmovupd ymm14, ymmword ptr [rcx + 32]
vfnmadd132pd ymm14, ymm10, ymm6
vfmadd231pd ymm10, ymm6, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 640], ymm14
vmovupd ymmword ptr [rdi - 128], ymm10
vsubpd ymm10, ymm9, ymm4
vaddpd ymm4, ymm9, ymm4
vaddpd ymm9, ymm3, ymm2
vsubpd ymm2, ymm3, ymm2
vmovupd ymm3, ymmword ptr [r11 + 0]
vaddpd ymm14, ymm8, ymm3
vsubpd ymm3, ymm8, ymm3
vmovupd ymmword ptr [rdi - 768], ymm10
vmovupd ymmword ptr [rdi - 256], ymm4
vmovupd ymmword ptr [rdi - 960], ymm9
vmovupd ymmword ptr [rdi - 448], ymm2
vmovupd ymmword ptr [rdi - 704], ymm14
vmovupd ymmword ptr [rdi - 192], ymm3
# order 49 50 55 56 66 51 53 57 59 67 65 52 54 72 58 60 71 68 69 73 16 70 17 74 75 76 18 20 63 61 26 19 25 64 62 21 32 27 31 28 29 30 33 34 79 77 35 36 80 78 86 88 81 83 23 24 85 87 82 84 39 37 40 38 98 99 105 106 46 48 41 43 45 47 42 44 101 103 108 110 89 91 93 95 100 102 107 109 90 92 94 96 111 112 123 124 135 136 147 148 137 138 149 150 113 114 125 126 141 139 143 145 142 140 144 146 153 151 155 157 154 152 156 158 117 115 119 121 118 116 120 129 127 131 122 130 448 128 132 456 133 134 452 496 498 460 502 447 504 512 455 514 518 451 497 499 459 503 505 513 445 453 515 446 519 454 520 521 450 463 449 465 464 466 472 473 508 506 509 507 458 474 457 475 524 522 478 479 480 481 525 523 531 533 526 528 468 469 530 532 527 529 484 482 485 483 543 544 550 551 491 493 486 488 490 492 487 489 546 548 559 567 553 555 563 571 534 536 556 564 545 547 558 566 552 554 562 570 538 540 535 537 539 541 560 568 209 557 208 565 215 561 214 569 225 210 224 212 231 216 218 226 228 232 211 213 230 217 219 227 175 229 176 233 234 235 185 177 184 179 178 180 186 187 222 220 223 221 191 188 190 189 238 236 192 193 194 195 239 237 245 247 240 242 182 183 244 246 241 243 198 196 199 197 257 258 264 265 205 207 200 202 204 206 201 203 260 262 267 269 248 250 252 254 259 261 266 268 249 251 253 255 270 271 282 283 296 297 308 309 272 273 284 285 294 295 306 307 276 274 278 280 277 275 279 281 288 286 290 292 289 287 291 293 300 298 302 304 301 299 303 312 310 314 305 313 321 311 315 329 316 317 325 369 371 333 375 320 377 385 328 387 391 324 370 372 332 376 378 386 318 326 388 319 392 327 393 394 323 336 322 338 337 339 345 346 381 379 382 380 331 347 330 348 397 395 351 352 353 354 398 396 404 406 399 401 341 342 403 405 400 402 357 355 358 356 416 417 423 424 364 366 359 361 363 365 360 362 419 421 432 440 426 428 436 444 407 409 429 437 418 420 431 439 425 427 435 443 411 413 408 410 412 414 433 441 430 438 434 442
