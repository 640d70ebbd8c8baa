lea r10, [r9 + 1024]
lea r11, [r9 + 2048]
vbroadcastsd ymm0, qword ptr [rsi + 0]
vbroadcastsd ymm1, qword ptr [rsi + 8]
vbroadcastsd ymm2, qword ptr [rsi + 64]
vmulpd ymm3, ymm1, ymmword ptr [rdi + 192]
vbroadcastsd ymm4, qword ptr [rsi + 72]
vmulpd ymm5, ymm0, ymmword ptr [rdi + 192]
vmulpd ymm6, ymm4, ymmword ptr [rdi + 704]
vmovupd ymm7, ymmword ptr [rdi + 128]
vfmsub231pd ymm3, ymm7, ymm0
vfmadd231pd ymm5, ymm7, ymm1
vfmsub231pd ymm6, ymm2, ymmword ptr [rdi + 640]
vbroadcastsd ymm1, qword ptr [rsi + 40]
vmulpd ymm2, ymm2, ymmword ptr [rdi + 704]
vbroadcastsd ymm7, qword ptr [rsi + 32]
vmulpd ymm0, ymm1, ymmword ptr [rdi + 448]
vmulpd ymm8, ymm7, ymmword ptr [rdi + 448]
vfmadd231pd ymm2, ymm4, ymmword ptr [rdi + 640]
vfmsub231pd ymm0, ymm7, ymmword ptr [rdi + 384]
vbroadcastsd ymm7, qword ptr [rsi + 104]
vfmadd231pd ymm8, ymm1, ymmword ptr [rdi + 384]
vbroadcastsd ymm1, qword ptr [rsi + 96]
vmulpd ymm4, ymm7, ymmword ptr [rdi + 960]
vmulpd ymm9, ymm1, ymmword ptr [rdi + 960]
vfmsub231pd ymm4, ymm1, ymmword ptr [rdi + 896]
vbroadcastsd ymm1, qword ptr [rsi + 48]
vbroadcastsd ymm10, qword ptr [rsi + 56]
vfmadd231pd ymm9, ymm7, ymmword ptr [rdi + 896]
vmovupd ymm7, ymmword ptr [rdi + 512]
vmovupd ymm11, ymmword ptr [rdi + 0]
vfmadd231pd ymm11, ymm7, ymm1
vbroadcastsd ymm12, qword ptr [rsi + 24]
vfmadd213pd ymm7, ymm10, ymmword ptr [rdi + 64]
vbroadcastsd ymm13, qword ptr [rsi + 16]
vmulpd ymm14, ymm12, ymmword ptr [rdi + 320]
vmulpd ymm15, ymm13, ymmword ptr [rdi + 320]
vfnmadd231pd ymm11, ymm10, ymmword ptr [rdi + 576]
vfmadd231pd ymm7, ymm1, ymmword ptr [rdi + 576]
vsubpd ymm1, ymm3, ymm6
vaddpd ymm6, ymm3, ymm6
vfmsub231pd ymm14, ymm13, ymmword ptr [rdi + 256]
vbroadcastsd ymm13, qword ptr [rsi + 88]
vfmadd231pd ymm15, ymm12, ymmword ptr [rdi + 256]
vmulpd ymm12, ymm13, ymmword ptr [rdi + 832]
vsubpd ymm3, ymm5, ymm2
vbroadcastsd ymm10, qword ptr [rsi + 80]
vaddpd ymm2, ymm5, ymm2
vmulpd ymm5, ymm10, ymmword ptr [rdi + 832]
vfmsub231pd ymm12, ymm10, ymmword ptr [rdi + 768]
vfmadd231pd ymm5, ymm13, ymmword ptr [rdi + 768]
vsubpd ymm13, ymm0, ymm4
vaddpd ymm4, ymm0, ymm4
vsubpd ymm0, ymm8, ymm9
vaddpd ymm9, ymm8, ymm9
vmovupd ymm8, ymmword ptr [rcx + 0]
vmovupd ymm10, ymmword ptr [rdi + 0]
vfmsub132pd ymm10, ymm11, ymm8
vfmsub132pd ymm8, ymm7, ymmword ptr [rdi + 64]
vmovapd ymmword ptr [r11 + 0], ymm7
vaddpd ymm7, ymm3, ymm13
vsubpd ymm13, ymm3, ymm13
vsubpd ymm3, ymm1, ymm0
vaddpd ymm0, ymm1, ymm0
vaddpd ymm1, ymm6, ymm4
vsubpd ymm4, ymm6, ymm4
vaddpd ymm6, ymm2, ymm9
vsubpd ymm9, ymm2, ymm9
vsubpd ymm2, ymm14, ymm12
vaddpd ymm12, ymm14, ymm12
vsubpd ymm14, ymm15, ymm5
vaddpd ymm5, ymm15, ymm5
vsubpd ymm15, ymm3, ymm7
vaddpd ymm7, ymm3, ymm7
vaddpd ymm3, ymm10, ymm14
vmovapd ymmword ptr [r11 + 32], ymm4
vaddpd ymm4, ymm0, ymm13
vsubpd ymm13, ymm0, ymm13
vaddpd ymm0, ymm8, ymm2
vsubpd ymm2, ymm8, ymm2
vsubpd ymm14, ymm10, ymm14
vaddpd ymm10, ymm11, ymm12
vbroadcastsd ymm8, qword ptr [rsi + 8]
vsubpd ymm12, ymm11, ymm12
vbroadcastsd ymm11, qword ptr [rsi + 0]
vmovapd ymmword ptr [r11 + 64], ymm6
vmulpd ymm6, ymm8, ymmword ptr [rdi + 224]
vfmsub231pd ymm6, ymm11, ymmword ptr [rdi + 160]
vmovapd ymmword ptr [r11 + 96], ymm6
vmovupd ymm6, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 128], ymm9
vaddpd ymm9, ymm6, ymm5
vsubpd ymm5, ymm6, ymm5
vmulpd ymm11, ymm11, ymmword ptr [rdi + 224]
vbroadcastsd ymm6, qword ptr [rsi + 72]
vfmadd231pd ymm11, ymm8, ymmword ptr [rdi + 160]
vbroadcastsd ymm8, qword ptr [rsi + 64]
vmovapd ymmword ptr [r11 + 0], ymm11
vmulpd ymm11, ymm6, ymmword ptr [rdi + 736]
vfmsub231pd ymm11, ymm8, ymmword ptr [rdi + 672]
vmulpd ymm8, ymm8, ymmword ptr [rdi + 736]
vfmadd231pd ymm8, ymm6, ymmword ptr [rdi + 672]
vmovupd ymm6, ymmword ptr [rcx + 32]
vfmadd132pd ymm6, ymm0, ymm7
vfnmadd231pd ymm0, ymm7, ymmword ptr [rcx + 32]
vmovupd ymm7, ymmword ptr [rcx + 32]
vmovapd ymmword ptr [r11 + 160], ymm8
vmovapd ymm8, ymm2
vfmadd231pd ymm8, ymm13, ymm7
vfnmadd231pd ymm2, ymm13, ymm7
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm14, ymm15
vfnmadd231pd ymm14, ymm15, ymmword ptr [rcx + 32]
vmovapd ymm15, ymm3
vfnmadd231pd ymm15, ymm4, ymm7
vfmadd231pd ymm3, ymm4, ymm7
vaddpd ymm7, ymm10, ymm1
vsubpd ymm1, ymm10, ymm1
vmovupd ymm10, ymmword ptr [r11 + 128]
vsubpd ymm4, ymm12, ymm10
vaddpd ymm10, ymm12, ymm10
vmovupd ymm12, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 128], ymm11
vaddpd ymm11, ymm9, ymm12
vmovapd ymmword ptr [r11 + 192], ymm15
vmovupd ymm15, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 224], ymm3
vsubpd ymm3, ymm5, ymm15
vsubpd ymm12, ymm9, ymm12
vaddpd ymm15, ymm5, ymm15
vbroadcastsd ymm5, qword ptr [rsi + 40]
vbroadcastsd ymm9, qword ptr [rsi + 32]
vmovapd ymmword ptr [r11 + 32], ymm13
vmulpd ymm13, ymm5, ymmword ptr [rdi + 480]
vfmsub231pd ymm13, ymm9, ymmword ptr [rdi + 416]
vmulpd ymm9, ymm9, ymmword ptr [rdi + 480]
vfmadd231pd ymm9, ymm5, ymmword ptr [rdi + 416]
vunpcklpd ymm5, ymm7, ymm1
vunpckhpd ymm1, ymm7, ymm1
vunpcklpd ymm7, ymm4, ymm10
vunpckhpd ymm10, ymm4, ymm10
vunpcklpd ymm4, ymm11, ymm12
vunpckhpd ymm12, ymm11, ymm12
vunpcklpd ymm11, ymm15, ymm3
vunpckhpd ymm3, ymm15, ymm3
vunpcklpd ymm15, ymm6, ymm0
vunpckhpd ymm0, ymm6, ymm0
vunpcklpd ymm6, ymm8, ymm2
vunpckhpd ymm2, ymm8, ymm2
vmovupd ymm8, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 64], ymm9
vunpcklpd ymm9, ymm8, ymm14
vunpckhpd ymm14, ymm8, ymm14
vmovupd ymm8, ymmword ptr [r11 + 192]
vmovapd ymmword ptr [r11 + 32], ymm13
vmovupd ymm13, ymmword ptr [r11 + 224]
vmovapd ymmword ptr [r11 + 256], ymm10
vunpcklpd ymm10, ymm8, ymm13
vunpckhpd ymm13, ymm8, ymm13
vperm2f128 ymm8, ymm4, ymm15, 49
vinsertf128 ymm15, ymm4, xmm15, 1
vmovupd ymmword ptr [r10 + 64], ymm15
vmovupd ymmword ptr [r10 + 320], ymm8
vperm2f128 ymm8, ymm12, ymm0, 49
vinsertf128 ymm0, ymm12, xmm0, 1
vmovupd ymmword ptr [r10 + 192], ymm0
vmovupd ymmword ptr [r10 + 448], ymm8
vperm2f128 ymm8, ymm11, ymm6, 49
vinsertf128 ymm6, ymm11, xmm6, 1
vmovupd ymmword ptr [r10 + 96], ymm6
vmovupd ymmword ptr [r10 + 352], ymm8
vperm2f128 ymm8, ymm3, ymm2, 49
vinsertf128 ymm2, ymm3, xmm2, 1
vmovupd ymmword ptr [r10 + 224], ymm2
vmovupd ymmword ptr [r10 + 480], ymm8
vperm2f128 ymm8, ymm5, ymm9, 49
vinsertf128 ymm9, ymm5, xmm9, 1
vmovupd ymmword ptr [r10 + 0], ymm9
vbroadcastsd ymm9, qword ptr [rsi + 104]
vmovupd ymmword ptr [r10 + 256], ymm8
vmulpd ymm8, ymm9, ymmword ptr [rdi + 992]
vperm2f128 ymm5, ymm1, ymm14, 49
vinsertf128 ymm14, ymm1, xmm14, 1
vmovupd ymmword ptr [r10 + 128], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 96]
vmovupd ymmword ptr [r10 + 384], ymm5
vmulpd ymm5, ymm14, ymmword ptr [rdi + 992]
vmovupd ymm1, ymmword ptr [rdi + 928]
vfmsub231pd ymm8, ymm1, ymm14
vperm2f128 ymm14, ymm7, ymm10, 49
vinsertf128 ymm10, ymm7, xmm10, 1
vmovupd ymmword ptr [r10 + 32], ymm10
vmovupd ymmword ptr [r10 + 288], ymm14
vmovupd ymm14, ymmword ptr [r11 + 256]
vperm2f128 ymm10, ymm14, ymm13, 49
vinsertf128 ymm13, ymm14, xmm13, 1
vmovupd ymmword ptr [r10 + 160], ymm13
vfmadd231pd ymm5, ymm1, ymm9
vbroadcastsd ymm9, qword ptr [rsi + 48]
vmovupd ymm1, ymmword ptr [rdi + 32]
vmovupd ymm13, ymmword ptr [rdi + 544]
vfmadd132pd ymm13, ymm1, ymm9
vbroadcastsd ymm14, qword ptr [rsi + 24]
vbroadcastsd ymm7, qword ptr [rsi + 56]
vmovupd ymm2, ymmword ptr [rdi + 96]
vmovupd ymm3, ymmword ptr [rdi + 544]
vfmadd132pd ymm3, ymm2, ymm7
vbroadcastsd ymm6, qword ptr [rsi + 16]
vmulpd ymm11, ymm6, ymmword ptr [rdi + 352]
vmulpd ymm0, ymm14, ymmword ptr [rdi + 352]
vbroadcastsd ymm12, qword ptr [rsi + 88]
vmovupd ymm15, ymmword ptr [rdi + 864]
vmulpd ymm4, ymm15, ymm12
vfnmadd231pd ymm13, ymm7, ymmword ptr [rdi + 608]
vfmsub231pd ymm0, ymm6, ymmword ptr [rdi + 288]
vfmadd231pd ymm3, ymm9, ymmword ptr [rdi + 608]
vbroadcastsd ymm9, qword ptr [rsi + 80]
vmovupd ymmword ptr [r10 + 416], ymm10
vfmadd231pd ymm11, ymm14, ymmword ptr [rdi + 288]
vfmsub231pd ymm4, ymm9, ymmword ptr [rdi + 800]
vmulpd ymm9, ymm15, ymm9
vmovupd ymm15, ymmword ptr [r11 + 96]
vmovupd ymm14, ymmword ptr [r11 + 128]
vsubpd ymm10, ymm15, ymm14
vaddpd ymm14, ymm15, ymm14
vfmadd231pd ymm9, ymm12, ymmword ptr [rdi + 800]
vmovupd ymm12, ymmword ptr [r11 + 0]
vmovupd ymm15, ymmword ptr [r11 + 160]
vsubpd ymm6, ymm12, ymm15
vmovupd ymm7, ymmword ptr [r11 + 32]
vsubpd ymm12, ymm7, ymm8
vaddpd ymm8, ymm7, ymm8
vmovupd ymm7, ymmword ptr [r11 + 64]
vsubpd ymm15, ymm7, ymm5
vaddpd ymm5, ymm7, ymm5
vsubpd ymm7, ymm6, ymm12
vfmsub132pd ymm1, ymm13, ymmword ptr [rcx + 0]
vaddpd ymm12, ymm6, ymm12
vsubpd ymm6, ymm10, ymm15
vaddpd ymm15, ymm10, ymm15
vfmsub132pd ymm2, ymm3, ymmword ptr [rcx + 0]
vsubpd ymm10, ymm0, ymm4
vaddpd ymm4, ymm0, ymm4
vaddpd ymm0, ymm14, ymm8
vsubpd ymm8, ymm14, ymm8
vsubpd ymm14, ymm6, ymm12
vmovapd ymmword ptr [r11 + 64], ymm8
vsubpd ymm8, ymm11, ymm9
vaddpd ymm9, ymm11, ymm9
vaddpd ymm12, ymm6, ymm12
vaddpd ymm6, ymm15, ymm7
vsubpd ymm7, ymm15, ymm7
vaddpd ymm15, ymm2, ymm10
vsubpd ymm10, ymm2, ymm10
vmovupd ymm2, ymmword ptr [r11 + 160]
vaddpd ymm2, ymm2, ymmword ptr [r11 + 0]
vaddpd ymm11, ymm2, ymm5
vsubpd ymm5, ymm2, ymm5
vsubpd ymm2, ymm1, ymm8
vaddpd ymm8, ymm1, ymm8
vaddpd ymm1, ymm13, ymm4
vsubpd ymm4, ymm13, ymm4
vaddpd ymm13, ymm3, ymm9
vsubpd ymm9, ymm3, ymm9
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm15, ymm12
vfnmadd231pd ymm15, ymm12, ymmword ptr [rcx + 32]
vmovupd ymm12, ymmword ptr [rcx + 32]
vfmadd132pd ymm12, ymm10, ymm7
vfnmadd231pd ymm10, ymm7, ymmword ptr [rcx + 32]
vmovupd ymm7, ymmword ptr [rcx + 32]
vfmadd132pd ymm7, ymm2, ymm14
vfnmadd231pd ymm2, ymm14, ymmword ptr [rcx + 32]
vmovupd ymm14, ymmword ptr [rcx + 32]
vfnmadd132pd ymm14, ymm8, ymm6
vfmadd231pd ymm8, ymm6, ymmword ptr [rcx + 32]
vaddpd ymm6, ymm1, ymm0
vsubpd ymm0, ymm1, ymm0
vsubpd ymm1, ymm4, ymm5
vaddpd ymm5, ymm4, ymm5
vaddpd ymm4, ymm13, ymm11
vsubpd ymm11, ymm13, ymm11
vmovupd ymm13, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 160], ymm4
vaddpd ymm4, ymm9, ymm13
vsubpd ymm13, ymm9, ymm13
vunpcklpd ymm9, ymm3, ymm15
vunpckhpd ymm15, ymm3, ymm15
vunpcklpd ymm3, ymm12, ymm10
vunpckhpd ymm10, ymm12, ymm10
vunpcklpd ymm12, ymm7, ymm2
vunpckhpd ymm2, ymm7, ymm2
vunpcklpd ymm7, ymm6, ymm0
vunpckhpd ymm0, ymm6, ymm0
vunpcklpd ymm6, ymm14, ymm8
vunpckhpd ymm8, ymm14, ymm8
vunpcklpd ymm14, ymm1, ymm5
vunpckhpd ymm5, ymm1, ymm5
vperm2f128 ymm1, ymm7, ymm12, 49
vinsertf128 ymm12, ymm7, xmm12, 1
vmovupd ymmword ptr [r10 + 512], ymm12
vmovupd ymmword ptr [r10 + 768], ymm1
vperm2f128 ymm1, ymm0, ymm2, 49
vinsertf128 ymm2, ymm0, xmm2, 1
vmovupd ymmword ptr [r10 + 640], ymm2
vmovupd ymmword ptr [r10 + 896], ymm1
vmovupd ymm1, ymmword ptr [r11 + 160]
vunpcklpd ymm2, ymm1, ymm11
vunpckhpd ymm11, ymm1, ymm11
vperm2f128 ymm1, ymm14, ymm6, 49
vinsertf128 ymm6, ymm14, xmm6, 1
vmovupd ymmword ptr [r10 + 544], ymm6
vmovupd ymmword ptr [r10 + 800], ymm1
vunpcklpd ymm1, ymm4, ymm13
vunpckhpd ymm13, ymm4, ymm13
vperm2f128 ymm4, ymm5, ymm8, 49
vinsertf128 ymm8, ymm5, xmm8, 1
vmovupd ymmword ptr [r10 + 928], ymm4
vperm2f128 ymm4, ymm2, ymm9, 49
vinsertf128 ymm9, ymm2, xmm9, 1
vmovupd ymmword ptr [r10 + 576], ymm9
vmovupd ymmword ptr [r10 + 832], ymm4
vperm2f128 ymm4, ymm11, ymm15, 49
vinsertf128 ymm15, ymm11, xmm15, 1
vmovupd ymmword ptr [r10 + 704], ymm15
vmovupd ymmword ptr [r10 + 960], ymm4
vperm2f128 ymm4, ymm1, ymm3, 49
vinsertf128 ymm3, ymm1, xmm3, 1
vmovupd ymmword ptr [r10 + 608], ymm3
vmovupd ymmword ptr [r10 + 864], ymm4
vperm2f128 ymm4, ymm13, ymm10, 49
vinsertf128 ymm10, ymm13, xmm10, 1
vmovupd ymmword ptr [r10 + 736], ymm10
vmovupd ymmword ptr [r10 + 992], ymm4
vmovupd ymmword ptr [r10 + 672], ymm8
add rsi, 112
add rdi, 1024
xchg r9, r10
dec r8
jz 3f
2:
vbroadcastsd ymm0, qword ptr [rsi + 0]
vbroadcastsd ymm1, qword ptr [rsi + 8]
vbroadcastsd ymm2, qword ptr [rsi + 64]
vmulpd ymm3, ymm1, ymmword ptr [rdi + 192]
vbroadcastsd ymm4, qword ptr [rsi + 72]
vmulpd ymm5, ymm0, ymmword ptr [rdi + 192]
vmulpd ymm6, ymm4, ymmword ptr [rdi + 704]
vmovupd ymm7, ymmword ptr [rdi + 128]
vfmsub231pd ymm3, ymm7, ymm0
vfmadd231pd ymm5, ymm7, ymm1
vfmsub231pd ymm6, ymm2, ymmword ptr [rdi + 640]
vbroadcastsd ymm1, qword ptr [rsi + 40]
vmulpd ymm2, ymm2, ymmword ptr [rdi + 704]
vbroadcastsd ymm7, qword ptr [rsi + 32]
vmulpd ymm0, ymm1, ymmword ptr [rdi + 448]
vmulpd ymm8, ymm7, ymmword ptr [rdi + 448]
vfmadd231pd ymm2, ymm4, ymmword ptr [rdi + 640]
vfmsub231pd ymm0, ymm7, ymmword ptr [rdi + 384]
vbroadcastsd ymm7, qword ptr [rsi + 104]
vfmadd231pd ymm8, ymm1, ymmword ptr [rdi + 384]
vbroadcastsd ymm1, qword ptr [rsi + 96]
vmulpd ymm4, ymm7, ymmword ptr [rdi + 960]
vmulpd ymm9, ymm1, ymmword ptr [rdi + 960]
vfmsub231pd ymm4, ymm1, ymmword ptr [rdi + 896]
vbroadcastsd ymm1, qword ptr [rsi + 48]
vbroadcastsd ymm10, qword ptr [rsi + 56]
vfmadd231pd ymm9, ymm7, ymmword ptr [rdi + 896]
vmovupd ymm7, ymmword ptr [rdi + 512]
vmovupd ymm11, ymmword ptr [rdi + 0]
vfmadd231pd ymm11, ymm7, ymm1
vbroadcastsd ymm12, qword ptr [rsi + 24]
vfmadd213pd ymm7, ymm10, ymmword ptr [rdi + 64]
vbroadcastsd ymm13, qword ptr [rsi + 16]
vmulpd ymm14, ymm12, ymmword ptr [rdi + 320]
vmulpd ymm15, ymm13, ymmword ptr [rdi + 320]
vfnmadd231pd ymm11, ymm10, ymmword ptr [rdi + 576]
vfmadd231pd ymm7, ymm1, ymmword ptr [rdi + 576]
vsubpd ymm1, ymm3, ymm6
vaddpd ymm6, ymm3, ymm6
vfmsub231pd ymm14, ymm13, ymmword ptr [rdi + 256]
vbroadcastsd ymm13, qword ptr [rsi + 88]
vfmadd231pd ymm15, ymm12, ymmword ptr [rdi + 256]
vmulpd ymm12, ymm13, ymmword ptr [rdi + 832]
vsubpd ymm3, ymm5, ymm2
vbroadcastsd ymm10, qword ptr [rsi + 80]
vaddpd ymm2, ymm5, ymm2
vmulpd ymm5, ymm10, ymmword ptr [rdi + 832]
vfmsub231pd ymm12, ymm10, ymmword ptr [rdi + 768]
vfmadd231pd ymm5, ymm13, ymmword ptr [rdi + 768]
vsubpd ymm13, ymm0, ymm4
vaddpd ymm4, ymm0, ymm4
vsubpd ymm0, ymm8, ymm9
vaddpd ymm9, ymm8, ymm9
vmovupd ymm8, ymmword ptr [rcx + 0]
vmovupd ymm10, ymmword ptr [rdi + 0]
vfmsub132pd ymm10, ymm11, ymm8
vfmsub132pd ymm8, ymm7, ymmword ptr [rdi + 64]
vmovapd ymmword ptr [r11 + 0], ymm7
vaddpd ymm7, ymm3, ymm13
vsubpd ymm13, ymm3, ymm13
vsubpd ymm3, ymm1, ymm0
vaddpd ymm0, ymm1, ymm0
vaddpd ymm1, ymm6, ymm4
vsubpd ymm4, ymm6, ymm4
vaddpd ymm6, ymm2, ymm9
vsubpd ymm9, ymm2, ymm9
vsubpd ymm2, ymm14, ymm12
vaddpd ymm12, ymm14, ymm12
vsubpd ymm14, ymm15, ymm5
vaddpd ymm5, ymm15, ymm5
vsubpd ymm15, ymm3, ymm7
vaddpd ymm7, ymm3, ymm7
vaddpd ymm3, ymm10, ymm14
vmovapd ymmword ptr [r11 + 32], ymm4
vaddpd ymm4, ymm0, ymm13
vsubpd ymm13, ymm0, ymm13
vaddpd ymm0, ymm8, ymm2
vsubpd ymm2, ymm8, ymm2
vsubpd ymm14, ymm10, ymm14
vaddpd ymm10, ymm11, ymm12
vbroadcastsd ymm8, qword ptr [rsi + 8]
vsubpd ymm12, ymm11, ymm12
vbroadcastsd ymm11, qword ptr [rsi + 0]
vmovapd ymmword ptr [r11 + 64], ymm6
vmulpd ymm6, ymm8, ymmword ptr [rdi + 224]
vfmsub231pd ymm6, ymm11, ymmword ptr [rdi + 160]
vmovapd ymmword ptr [r11 + 96], ymm6
vmovupd ymm6, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 128], ymm9
vaddpd ymm9, ymm6, ymm5
vsubpd ymm5, ymm6, ymm5
vmulpd ymm11, ymm11, ymmword ptr [rdi + 224]
vbroadcastsd ymm6, qword ptr [rsi + 72]
vfmadd231pd ymm11, ymm8, ymmword ptr [rdi + 160]
vbroadcastsd ymm8, qword ptr [rsi + 64]
vmovapd ymmword ptr [r11 + 0], ymm11
vmulpd ymm11, ymm6, ymmword ptr [rdi + 736]
vfmsub231pd ymm11, ymm8, ymmword ptr [rdi + 672]
vmulpd ymm8, ymm8, ymmword ptr [rdi + 736]
vfmadd231pd ymm8, ymm6, ymmword ptr [rdi + 672]
vmovupd ymm6, ymmword ptr [rcx + 32]
vfmadd132pd ymm6, ymm0, ymm7
vfnmadd231pd ymm0, ymm7, ymmword ptr [rcx + 32]
vmovupd ymm7, ymmword ptr [rcx + 32]
vmovapd ymmword ptr [r11 + 160], ymm8
vmovapd ymm8, ymm2
vfmadd231pd ymm8, ymm13, ymm7
vfnmadd231pd ymm2, ymm13, ymm7
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm14, ymm15
vfnmadd231pd ymm14, ymm15, ymmword ptr [rcx + 32]
vmovapd ymm15, ymm3
vfnmadd231pd ymm15, ymm4, ymm7
vfmadd231pd ymm3, ymm4, ymm7
vaddpd ymm7, ymm10, ymm1
vsubpd ymm1, ymm10, ymm1
vmovupd ymm10, ymmword ptr [r11 + 128]
vsubpd ymm4, ymm12, ymm10
vaddpd ymm10, ymm12, ymm10
vmovupd ymm12, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 128], ymm11
vaddpd ymm11, ymm9, ymm12
vmovapd ymmword ptr [r11 + 192], ymm15
vmovupd ymm15, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 224], ymm3
vsubpd ymm3, ymm5, ymm15
vsubpd ymm12, ymm9, ymm12
vaddpd ymm15, ymm5, ymm15
vbroadcastsd ymm5, qword ptr [rsi + 40]
vbroadcastsd ymm9, qword ptr [rsi + 32]
vmovapd ymmword ptr [r11 + 32], ymm13
vmulpd ymm13, ymm5, ymmword ptr [rdi + 480]
vfmsub231pd ymm13, ymm9, ymmword ptr [rdi + 416]
vmulpd ymm9, ymm9, ymmword ptr [rdi + 480]
vfmadd231pd ymm9, ymm5, ymmword ptr [rdi + 416]
vunpcklpd ymm5, ymm7, ymm1
vunpckhpd ymm1, ymm7, ymm1
vunpcklpd ymm7, ymm4, ymm10
vunpckhpd ymm10, ymm4, ymm10
vunpcklpd ymm4, ymm11, ymm12
vunpckhpd ymm12, ymm11, ymm12
vunpcklpd ymm11, ymm15, ymm3
vunpckhpd ymm3, ymm15, ymm3
vunpcklpd ymm15, ymm6, ymm0
vunpckhpd ymm0, ymm6, ymm0
vunpcklpd ymm6, ymm8, ymm2
vunpckhpd ymm2, ymm8, ymm2
vmovupd ymm8, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 64], ymm9
vunpcklpd ymm9, ymm8, ymm14
vunpckhpd ymm14, ymm8, ymm14
vmovupd ymm8, ymmword ptr [r11 + 192]
vmovapd ymmword ptr [r11 + 32], ymm13
vmovupd ymm13, ymmword ptr [r11 + 224]
vmovapd ymmword ptr [r11 + 256], ymm10
vunpcklpd ymm10, ymm8, ymm13
vunpckhpd ymm13, ymm8, ymm13
vperm2f128 ymm8, ymm4, ymm15, 49
vinsertf128 ymm15, ymm4, xmm15, 1
vmovupd ymmword ptr [r10 + 64], ymm15
vmovupd ymmword ptr [r10 + 320], ymm8
vperm2f128 ymm8, ymm12, ymm0, 49
vinsertf128 ymm0, ymm12, xmm0, 1
vmovupd ymmword ptr [r10 + 192], ymm0
vmovupd ymmword ptr [r10 + 448], ymm8
vperm2f128 ymm8, ymm11, ymm6, 49
vinsertf128 ymm6, ymm11, xmm6, 1
vmovupd ymmword ptr [r10 + 96], ymm6
vmovupd ymmword ptr [r10 + 352], ymm8
vperm2f128 ymm8, ymm3, ymm2, 49
vinsertf128 ymm2, ymm3, xmm2, 1
vmovupd ymmword ptr [r10 + 224], ymm2
vmovupd ymmword ptr [r10 + 480], ymm8
vperm2f128 ymm8, ymm5, ymm9, 49
vinsertf128 ymm9, ymm5, xmm9, 1
vmovupd ymmword ptr [r10 + 0], ymm9
vbroadcastsd ymm9, qword ptr [rsi + 104]
vmovupd ymmword ptr [r10 + 256], ymm8
vmulpd ymm8, ymm9, ymmword ptr [rdi + 992]
vperm2f128 ymm5, ymm1, ymm14, 49
vinsertf128 ymm14, ymm1, xmm14, 1
vmovupd ymmword ptr [r10 + 128], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 96]
vmovupd ymmword ptr [r10 + 384], ymm5
vmulpd ymm5, ymm14, ymmword ptr [rdi + 992]
vmovupd ymm1, ymmword ptr [rdi + 928]
vfmsub231pd ymm8, ymm1, ymm14
vperm2f128 ymm14, ymm7, ymm10, 49
vinsertf128 ymm10, ymm7, xmm10, 1
vmovupd ymmword ptr [r10 + 32], ymm10
vmovupd ymmword ptr [r10 + 288], ymm14
vmovupd ymm14, ymmword ptr [r11 + 256]
vperm2f128 ymm10, ymm14, ymm13, 49
vinsertf128 ymm13, ymm14, xmm13, 1
vmovupd ymmword ptr [r10 + 160], ymm13
vfmadd231pd ymm5, ymm1, ymm9
vbroadcastsd ymm9, qword ptr [rsi + 48]
vmovupd ymm1, ymmword ptr [rdi + 32]
vmovupd ymm13, ymmword ptr [rdi + 544]
vfmadd132pd ymm13, ymm1, ymm9
vbroadcastsd ymm14, qword ptr [rsi + 24]
vbroadcastsd ymm7, qword ptr [rsi + 56]
vmovupd ymm2, ymmword ptr [rdi + 96]
vmovupd ymm3, ymmword ptr [rdi + 544]
vfmadd132pd ymm3, ymm2, ymm7
vbroadcastsd ymm6, qword ptr [rsi + 16]
vmulpd ymm11, ymm6, ymmword ptr [rdi + 352]
vmulpd ymm0, ymm14, ymmword ptr [rdi + 352]
vbroadcastsd ymm12, qword ptr [rsi + 88]
vmovupd ymm15, ymmword ptr [rdi + 864]
vmulpd ymm4, ymm15, ymm12
vfnmadd231pd ymm13, ymm7, ymmword ptr [rdi + 608]
vfmsub231pd ymm0, ymm6, ymmword ptr [rdi + 288]
vfmadd231pd ymm3, ymm9, ymmword ptr [rdi + 608]
vbroadcastsd ymm9, qword ptr [rsi + 80]
vmovupd ymmword ptr [r10 + 416], ymm10
vfmadd231pd ymm11, ymm14, ymmword ptr [rdi + 288]
vfmsub231pd ymm4, ymm9, ymmword ptr [rdi + 800]
vmulpd ymm9, ymm15, ymm9
vmovupd ymm15, ymmword ptr [r11 + 96]
vmovupd ymm14, ymmword ptr [r11 + 128]
vsubpd ymm10, ymm15, ymm14
vaddpd ymm14, ymm15, ymm14
vfmadd231pd ymm9, ymm12, ymmword ptr [rdi + 800]
vmovupd ymm12, ymmword ptr [r11 + 0]
vmovupd ymm15, ymmword ptr [r11 + 160]
vsubpd ymm6, ymm12, ymm15
vmovupd ymm7, ymmword ptr [r11 + 32]
vsubpd ymm12, ymm7, ymm8
vaddpd ymm8, ymm7, ymm8
vmovupd ymm7, ymmword ptr [r11 + 64]
vsubpd ymm15, ymm7, ymm5
vaddpd ymm5, ymm7, ymm5
vsubpd ymm7, ymm6, ymm12
vfmsub132pd ymm1, ymm13, ymmword ptr [rcx + 0]
vaddpd ymm12, ymm6, ymm12
vsubpd ymm6, ymm10, ymm15
vaddpd ymm15, ymm10, ymm15
vfmsub132pd ymm2, ymm3, ymmword ptr [rcx + 0]
vsubpd ymm10, ymm0, ymm4
vaddpd ymm4, ymm0, ymm4
vaddpd ymm0, ymm14, ymm8
vsubpd ymm8, ymm14, ymm8
vsubpd ymm14, ymm6, ymm12
vmovapd ymmword ptr [r11 + 64], ymm8
vsubpd ymm8, ymm11, ymm9
vaddpd ymm9, ymm11, ymm9
vaddpd ymm12, ymm6, ymm12
vaddpd ymm6, ymm15, ymm7
vsubpd ymm7, ymm15, ymm7
vaddpd ymm15, ymm2, ymm10
vsubpd ymm10, ymm2, ymm10
vmovupd ymm2, ymmword ptr [r11 + 160]
vaddpd ymm2, ymm2, ymmword ptr [r11 + 0]
vaddpd ymm11, ymm2, ymm5
vsubpd ymm5, ymm2, ymm5
vsubpd ymm2, ymm1, ymm8
vaddpd ymm8, ymm1, ymm8
vaddpd ymm1, ymm13, ymm4
vsubpd ymm4, ymm13, ymm4
vaddpd ymm13, ymm3, ymm9
vsubpd ymm9, ymm3, ymm9
vmovupd ymm3, ymmword ptr [r9 + 224]
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm15, ymm12
vfnmadd231pd ymm15, ymm12, ymmword ptr [rcx + 32]
vmovupd ymm12, ymmword ptr [rcx + 32]
vfmadd132pd ymm12, ymm10, ymm7
vfnmadd231pd ymm10, ymm7, ymmword ptr [rcx + 32]
vmovupd ymm7, ymmword ptr [rcx + 32]
vfmadd132pd ymm7, ymm2, ymm14
vfnmadd231pd ymm2, ymm14, ymmword ptr [rcx + 32]
vmovupd ymm14, ymmword ptr [rcx + 32]
vfnmadd132pd ymm14, ymm8, ymm6
vfmadd231pd ymm8, ymm6, ymmword ptr [rcx + 32]
vaddpd ymm6, ymm1, ymm0
vsubpd ymm0, ymm1, ymm0
vsubpd ymm1, ymm4, ymm5
vaddpd ymm5, ymm4, ymm5
vaddpd ymm4, ymm13, ymm11
vsubpd ymm11, ymm13, ymm11
vmovupd ymm13, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 160], ymm4
vaddpd ymm4, ymm9, ymm13
vsubpd ymm13, ymm9, ymm13
vunpcklpd ymm9, ymm3, ymm15
vunpckhpd ymm15, ymm3, ymm15
vunpcklpd ymm3, ymm12, ymm10
vunpckhpd ymm10, ymm12, ymm10
vunpcklpd ymm12, ymm7, ymm2
vunpckhpd ymm2, ymm7, ymm2
vunpcklpd ymm7, ymm6, ymm0
vunpckhpd ymm0, ymm6, ymm0
vunpcklpd ymm6, ymm14, ymm8
vunpckhpd ymm8, ymm14, ymm8
vunpcklpd ymm14, ymm1, ymm5
vunpckhpd ymm5, ymm1, ymm5
vperm2f128 ymm1, ymm7, ymm12, 49
vinsertf128 ymm12, ymm7, xmm12, 1
vmovupd ymmword ptr [r10 + 512], ymm12
vmovupd ymmword ptr [r10 + 768], ymm1
vperm2f128 ymm1, ymm0, ymm2, 49
vinsertf128 ymm2, ymm0, xmm2, 1
vmovupd ymmword ptr [r10 + 640], ymm2
vmovupd ymmword ptr [r10 + 896], ymm1
vmovupd ymm1, ymmword ptr [r11 + 160]
vunpcklpd ymm2, ymm1, ymm11
vunpckhpd ymm11, ymm1, ymm11
vperm2f128 ymm1, ymm14, ymm6, 49
vinsertf128 ymm6, ymm14, xmm6, 1
vmovupd ymmword ptr [r10 + 544], ymm6
vmovupd ymmword ptr [r10 + 800], ymm1
vunpcklpd ymm1, ymm4, ymm13
vunpckhpd ymm13, ymm4, ymm13
vperm2f128 ymm4, ymm5, ymm8, 49
vinsertf128 ymm8, ymm5, xmm8, 1
vmovupd ymmword ptr [r10 + 928], ymm4
vperm2f128 ymm4, ymm2, ymm9, 49
vinsertf128 ymm9, ymm2, xmm9, 1
vmovupd ymmword ptr [r10 + 576], ymm9
vmovupd ymmword ptr [r10 + 832], ymm4
vperm2f128 ymm4, ymm11, ymm15, 49
vinsertf128 ymm15, ymm11, xmm15, 1
vmovupd ymmword ptr [r10 + 704], ymm15
vmovupd ymmword ptr [r10 + 960], ymm4
vperm2f128 ymm4, ymm1, ymm3, 49
vinsertf128 ymm3, ymm1, xmm3, 1
vmovupd ymmword ptr [r10 + 608], ymm3
vmovupd ymmword ptr [r10 + 864], ymm4
vperm2f128 ymm4, ymm13, ymm10, 49
vinsertf128 ymm10, ymm13, xmm10, 1
vmovupd ymmword ptr [r10 + 736], ymm10
vmovupd ymm10, ymmword ptr [r9 + 192]
vmovupd ymmword ptr [r10 + 992], ymm4
vmulpd ymm4, ymm10, ymmword ptr [rdx + 64]
vmovupd ymm13, ymmword ptr [r9 + 704]
vmulpd ymm10, ymm10, ymmword ptr [rdx + 0]
vmulpd ymm3, ymm13, ymmword ptr [rdx + 576]
vmovupd ymm1, ymmword ptr [r9 + 448]
vmulpd ymm13, ymm13, ymmword ptr [rdx + 512]
vmulpd ymm15, ymm1, ymmword ptr [rdx + 320]
vmovupd ymm11, ymmword ptr [r9 + 128]
vmulpd ymm1, ymm1, ymmword ptr [rdx + 256]
vfmsub231pd ymm4, ymm11, ymmword ptr [rdx + 0]
vmovupd ymmword ptr [r10 + 672], ymm8
vmovupd ymm8, ymmword ptr [r9 + 640]
vfmadd231pd ymm10, ymm11, ymmword ptr [rdx + 64]
vfmsub231pd ymm3, ymm8, ymmword ptr [rdx + 512]
vmovupd ymm11, ymmword ptr [r9 + 384]
vfmadd231pd ymm13, ymm8, ymmword ptr [rdx + 576]
vfmsub231pd ymm15, ymm11, ymmword ptr [rdx + 256]
vfmadd231pd ymm1, ymm11, ymmword ptr [rdx + 320]
vmovupd ymm11, ymmword ptr [rdx + 832]
vmulpd ymm8, ymm11, ymmword ptr [r9 + 960]
vmovupd ymm9, ymmword ptr [r9 + 896]
vmovupd ymm2, ymmword ptr [rdx + 768]
vmulpd ymm5, ymm2, ymmword ptr [r9 + 960]
vfmsub231pd ymm8, ymm9, ymm2
vmovupd ymm2, ymmword ptr [r9 + 0]
vmovupd ymm6, ymmword ptr [r9 + 512]
vfmadd231pd ymm5, ymm9, ymm11
vmovupd ymm11, ymmword ptr [r9 + 64]
vmovupd ymm9, ymmword ptr [rdx + 384]
vfmadd132pd ymm9, ymm2, ymm6
vfmadd132pd ymm6, ymm11, ymmword ptr [rdx + 448]
vmovupd ymm14, ymmword ptr [r9 + 320]
vmulpd ymm0, ymm14, ymmword ptr [rdx + 192]
vmovupd ymm12, ymmword ptr [r9 + 576]
vmulpd ymm14, ymm14, ymmword ptr [rdx + 128]
vfnmadd231pd ymm9, ymm12, ymmword ptr [rdx + 448]
vmovupd ymm7, ymmword ptr [r9 + 256]
vfmadd231pd ymm6, ymm12, ymmword ptr [rdx + 384]
vfmsub231pd ymm0, ymm7, ymmword ptr [rdx + 128]
vaddpd ymm12, ymm4, ymm3
vfmadd231pd ymm14, ymm7, ymmword ptr [rdx + 192]
vsubpd ymm3, ymm4, ymm3
vsubpd ymm4, ymm10, ymm13
vmovupd ymm7, ymmword ptr [r9 + 832]
vaddpd ymm13, ymm10, ymm13
vmulpd ymm10, ymm7, ymmword ptr [rdx + 704]
vmovapd ymmword ptr [r11 + 160], ymm14
vmovupd ymm14, ymmword ptr [r9 + 768]
vmovupd ymm11, ymmword ptr [rdx + 640]
vmulpd ymm7, ymm7, ymm11
vfmsub231pd ymm10, ymm14, ymm11
vfmadd231pd ymm7, ymm14, ymmword ptr [rdx + 704]
vsubpd ymm14, ymm15, ymm8
vaddpd ymm8, ymm15, ymm8
vsubpd ymm15, ymm1, ymm5
vaddpd ymm5, ymm1, ymm5
vfmsub132pd ymm2, ymm9, ymmword ptr [rcx + 0]
vmovupd ymm1, ymmword ptr [rcx + 0]
vfmsub132pd ymm1, ymm6, ymmword ptr [r9 + 64]
vaddpd ymm11, ymm4, ymm14
vsubpd ymm14, ymm4, ymm14
vsubpd ymm4, ymm3, ymm15
vaddpd ymm15, ymm3, ymm15
vaddpd ymm3, ymm12, ymm8
vsubpd ymm8, ymm12, ymm8
vaddpd ymm12, ymm13, ymm5
vsubpd ymm5, ymm13, ymm5
vsubpd ymm13, ymm0, ymm10
vaddpd ymm10, ymm0, ymm10
vmovupd ymm0, ymmword ptr [r11 + 160]
vmovapd ymmword ptr [r11 + 64], ymm8
vsubpd ymm8, ymm0, ymm7
vaddpd ymm7, ymm0, ymm7
vsubpd ymm0, ymm4, ymm11
vaddpd ymm11, ymm4, ymm11
vaddpd ymm4, ymm15, ymm14
vsubpd ymm14, ymm15, ymm14
vaddpd ymm15, ymm1, ymm13
vsubpd ymm13, ymm1, ymm13
vsubpd ymm1, ymm2, ymm8
vaddpd ymm8, ymm2, ymm8
vaddpd ymm2, ymm9, ymm10
vsubpd ymm10, ymm9, ymm10
vaddpd ymm9, ymm6, ymm7
vsubpd ymm7, ymm6, ymm7
vmovupd ymm6, ymmword ptr [rcx + 32]
vfmadd132pd ymm6, ymm15, ymm11
vfnmadd231pd ymm15, ymm11, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 832], ymm6
vmovupd ymmword ptr [rdi - 320], ymm15
vmovupd ymm15, ymmword ptr [rcx + 32]
vmovapd ymm6, ymm13
vfmadd231pd ymm6, ymm14, ymm15
vfnmadd231pd ymm13, ymm14, ymm15
vmovupd ymmword ptr [rdi - 576], ymm6
vmovupd ymmword ptr [rdi - 64], ymm13
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm1, ymm0
vfnmadd231pd ymm1, ymm0, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 896], ymm13
vmovapd ymm13, ymm8
vfnmadd231pd ymm13, ymm4, ymm15
vfmadd231pd ymm8, ymm4, ymm15
vmovupd ymmword ptr [rdi - 640], ymm13
vmovupd ymmword ptr [rdi - 128], ymm8
vaddpd ymm8, ymm2, ymm3
vsubpd ymm3, ymm2, ymm3
vmovupd ymmword ptr [rdi - 1024], ymm8
vmovupd ymmword ptr [rdi - 512], ymm3
vsubpd ymm3, ymm10, ymm5
vaddpd ymm5, ymm10, ymm5
vmovupd ymmword ptr [rdi - 768], ymm3
vmovupd ymmword ptr [rdi - 256], ymm5
vaddpd ymm5, ymm9, ymm12
vmovupd ymmword ptr [rdi - 960], ymm5
vsubpd ymm12, ymm9, ymm12
vmovupd ymmword ptr [rdi - 448], ymm12
vmovupd ymm12, ymmword ptr [r11 + 64]
vaddpd ymm9, ymm7, ymm12
vsubpd ymm12, ymm7, ymm12
vmovupd ymmword ptr [rdi - 704], ymm9
vmovupd ymmword ptr [rdi - 192], ymm12
vmovupd ymm12, ymmword ptr [r9 + 224]
vmulpd ymm9, ymm12, ymmword ptr [rdx + 96]
vmovupd ymm7, ymmword ptr [r9 + 736]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 32]
vmovupd ymm5, ymmword ptr [r9 + 480]
vmovupd ymm3, ymmword ptr [rdx + 544]
vmulpd ymm10, ymm7, ymm3
vmulpd ymm8, ymm5, ymmword ptr [rdx + 352]
vmovupd ymm2, ymmword ptr [r9 + 160]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 288]
vfmsub231pd ymm9, ymm2, ymmword ptr [rdx + 32]
vmovupd ymm13, ymmword ptr [r9 + 672]
vfmadd231pd ymm12, ymm2, ymmword ptr [rdx + 96]
vmovupd ymmword ptr [rdi - 384], ymm1
vmulpd ymm7, ymm7, ymmword ptr [rdx + 608]
vmovupd ymm1, ymmword ptr [r9 + 416]
vfmadd231pd ymm10, ymm13, ymmword ptr [rdx + 608]
vfmsub231pd ymm8, ymm1, ymmword ptr [rdx + 288]
vmovupd ymm2, ymmword ptr [r9 + 992]
vfmadd231pd ymm5, ymm1, ymmword ptr [rdx + 352]
vfmsub231pd ymm7, ymm13, ymm3
vmulpd ymm3, ymm2, ymmword ptr [rdx + 864]
vmovupd ymm13, ymmword ptr [r9 + 928]
vmulpd ymm2, ymm2, ymmword ptr [rdx + 800]
vfmsub231pd ymm3, ymm13, ymmword ptr [rdx + 800]
vmovupd ymm1, ymmword ptr [r9 + 32]
vmovupd ymm15, ymmword ptr [r9 + 544]
vfmadd231pd ymm2, ymm13, ymmword ptr [rdx + 864]
vmovupd ymm13, ymmword ptr [r9 + 96]
vmovupd ymm4, ymmword ptr [rdx + 416]
vfmadd132pd ymm4, ymm1, ymm15
vmovupd ymm0, ymmword ptr [r9 + 352]
vfmadd132pd ymm15, ymm13, ymmword ptr [rdx + 480]
vmulpd ymm6, ymm0, ymmword ptr [rdx + 224]
vmovupd ymm14, ymmword ptr [r9 + 608]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 160]
vfnmadd231pd ymm4, ymm14, ymmword ptr [rdx + 480]
vmovupd ymm11, ymmword ptr [r9 + 288]
vfmadd231pd ymm15, ymm14, ymmword ptr [rdx + 416]
vfmsub231pd ymm6, ymm11, ymmword ptr [rdx + 160]
vfmadd231pd ymm0, ymm11, ymmword ptr [rdx + 224]
vsubpd ymm11, ymm9, ymm7
vsubpd ymm14, ymm12, ymm10
vaddpd ymm7, ymm9, ymm7
vmovupd ymm9, ymmword ptr [r9 + 864]
vmulpd ymm1, ymm9, ymmword ptr [rdx + 736]
vaddpd ymm10, ymm12, ymm10
vmovupd ymm12, ymmword ptr [r9 + 800]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 672]
vfmsub231pd ymm1, ymm12, ymmword ptr [rdx + 672]
vfmadd231pd ymm9, ymm12, ymmword ptr [rdx + 736]
vsubpd ymm12, ymm8, ymm3
vaddpd ymm3, ymm8, ymm3
vsubpd ymm8, ymm5, ymm2
vaddpd ymm2, ymm5, ymm2
vfmsub132pd ymm13, ymm15, ymmword ptr [rcx + 0]
vaddpd ymm5, ymm14, ymm12
vsubpd ymm12, ymm14, ymm12
vsubpd ymm14, ymm11, ymm8
vaddpd ymm8, ymm11, ymm8
vaddpd ymm11, ymm7, ymm3
vsubpd ymm3, ymm7, ymm3
vaddpd ymm7, ymm10, ymm2
vsubpd ymm2, ymm10, ymm2
vsubpd ymm10, ymm6, ymm1
vaddpd ymm1, ymm6, ymm1
vsubpd ymm6, ymm0, ymm9
vaddpd ymm9, ymm0, ymm9
vsubpd ymm0, ymm14, ymm5
vmovapd ymmword ptr [r11 + 64], ymm3
vmovupd ymm3, ymmword ptr [rcx + 0]
vfmsub132pd ymm3, ymm4, ymmword ptr [r9 + 32]
vaddpd ymm5, ymm14, ymm5
vaddpd ymm14, ymm8, ymm12
vsubpd ymm12, ymm8, ymm12
vaddpd ymm8, ymm13, ymm10
vsubpd ymm10, ymm13, ymm10
vsubpd ymm13, ymm3, ymm6
vaddpd ymm6, ymm3, ymm6
vaddpd ymm3, ymm4, ymm1
vsubpd ymm1, ymm4, ymm1
vaddpd ymm4, ymm15, ymm9
vsubpd ymm9, ymm15, ymm9
vmovupd ymm15, ymmword ptr [rcx + 32]
vfmadd132pd ymm15, ymm8, ymm5
vfnmadd231pd ymm8, ymm5, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 800], ymm15
vmovupd ymmword ptr [rdi - 288], ymm8
vmovupd ymm8, ymmword ptr [rcx + 32]
vmovapd ymm15, ymm10
vfmadd231pd ymm15, ymm12, ymm8
vfnmadd231pd ymm10, ymm12, ymm8
vmovupd ymmword ptr [rdi - 544], ymm15
vmovupd ymm15, ymmword ptr [rcx + 32]
vfmadd132pd ymm15, ymm13, ymm0
vfnmadd231pd ymm13, ymm0, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 864], ymm15
vmovupd ymmword ptr [rdi - 352], ymm13
vmovapd ymm13, ymm6
vfnmadd231pd ymm13, ymm14, ymm8
vfmadd231pd ymm6, ymm14, ymm8
vmovupd ymmword ptr [rdi - 608], ymm13
vmovupd ymmword ptr [rdi - 32], ymm10
vmovupd ymmword ptr [rdi - 96], ymm6
vaddpd ymm6, ymm3, ymm11
vsubpd ymm11, ymm3, ymm11
vmovupd ymmword ptr [rdi - 992], ymm6
vmovupd ymmword ptr [rdi - 480], ymm11
vsubpd ymm11, ymm1, ymm2
vaddpd ymm2, ymm1, ymm2
vaddpd ymm1, ymm4, ymm7
vmovupd ymmword ptr [rdi - 736], ymm11
vmovupd ymmword ptr [rdi - 224], ymm2
vsubpd ymm7, ymm4, ymm7
vmovupd ymmword ptr [rdi - 928], ymm1
vmovupd ymmword ptr [rdi - 416], ymm7
vmovupd ymm7, ymmword ptr [r11 + 64]
vaddpd ymm1, ymm9, ymm7
vsubpd ymm7, ymm9, ymm7
vmovupd ymmword ptr [rdi - 672], ymm1
vmovupd ymmword ptr [rdi - 160], ymm7
add rsi, 112
add rdx, 896
add rdi, 1024
xchg r9, r10
dec r8
jnz 2b
3:
vmovupd ymm0, ymmword ptr [r9 + 224]
vmovupd ymm1, ymmword ptr [r9 + 192]
vmulpd ymm2, ymm1, ymmword ptr [rdx + 64]
vmovupd ymm3, ymmword ptr [r9 + 704]
vmulpd ymm1, ymm1, ymmword ptr [rdx + 0]
vmulpd ymm4, ymm3, ymmword ptr [rdx + 576]
vmovupd ymm5, ymmword ptr [r9 + 448]
vmulpd ymm3, ymm3, ymmword ptr [rdx + 512]
vmulpd ymm6, ymm5, ymmword ptr [rdx + 320]
vmovupd ymm7, ymmword ptr [r9 + 128]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 256]
vfmsub231pd ymm2, ymm7, ymmword ptr [rdx + 0]
vmovupd ymm8, ymmword ptr [r9 + 640]
vfmadd231pd ymm1, ymm7, ymmword ptr [rdx + 64]
vfmsub231pd ymm4, ymm8, ymmword ptr [rdx + 512]
vmovupd ymm7, ymmword ptr [r9 + 384]
vfmadd231pd ymm3, ymm8, ymmword ptr [rdx + 576]
vfmsub231pd ymm6, ymm7, ymmword ptr [rdx + 256]
vfmadd231pd ymm5, ymm7, ymmword ptr [rdx + 320]
vmovupd ymm7, ymmword ptr [rdx + 832]
vmulpd ymm8, ymm7, ymmword ptr [r9 + 960]
vmovupd ymm9, ymmword ptr [r9 + 896]
vmovupd ymm10, ymmword ptr [rdx + 768]
vmulpd ymm11, ymm10, ymmword ptr [r9 + 960]
vfmsub231pd ymm8, ymm9, ymm10
vmovupd ymm10, ymmword ptr [r9 + 0]
vmovupd ymm12, ymmword ptr [r9 + 512]
vfmadd231pd ymm11, ymm9, ymm7
vmovupd ymm7, ymmword ptr [r9 + 64]
vmovupd ymm9, ymmword ptr [rdx + 384]
vfmadd132pd ymm9, ymm10, ymm12
vfmadd132pd ymm12, ymm7, ymmword ptr [rdx + 448]
vmovupd ymm13, ymmword ptr [r9 + 320]
vmulpd ymm14, ymm13, ymmword ptr [rdx + 192]
vmovupd ymm15, ymmword ptr [r9 + 576]
vmulpd ymm13, ymm13, ymmword ptr [rdx + 128]
vfnmadd231pd ymm9, ymm15, ymmword ptr [rdx + 448]
vmovupd ymm0, ymmword ptr [r9 + 256]
vfmadd231pd ymm12, ymm15, ymmword ptr [rdx + 384]
vfmsub231pd ymm14, ymm0, ymmword ptr [rdx + 128]
vaddpd ymm15, ymm2, ymm4
vfmadd231pd ymm13, ymm0, ymmword ptr [rdx + 192]
vsubpd ymm4, ymm2, ymm4
vsubpd ymm2, ymm1, ymm3
vmovupd ymm0, ymmword ptr [r9 + 832]
vaddpd ymm3, ymm1, ymm3
vmulpd ymm1, ymm0, ymmword ptr [rdx + 704]
vmovapd ymmword ptr [r11 + 0], ymm13
vmovupd ymm13, ymmword ptr [r9 + 768]
vmovupd ymm7, ymmword ptr [rdx + 640]
vmulpd ymm0, ymm0, ymm7
vfmsub231pd ymm1, ymm13, ymm7
vfmadd231pd ymm0, ymm13, ymmword ptr [rdx + 704]
vsubpd ymm13, ymm6, ymm8
vaddpd ymm8, ymm6, ymm8
vsubpd ymm6, ymm5, ymm11
vaddpd ymm11, ymm5, ymm11
vfmsub132pd ymm10, ymm9, ymmword ptr [rcx + 0]
vmovupd ymm5, ymmword ptr [rcx + 0]
vfmsub132pd ymm5, ymm12, ymmword ptr [r9 + 64]
vaddpd ymm7, ymm2, ymm13
vsubpd ymm13, ymm2, ymm13
vsubpd ymm2, ymm4, ymm6
vaddpd ymm6, ymm4, ymm6
vaddpd ymm4, ymm15, ymm8
vsubpd ymm8, ymm15, ymm8
vaddpd ymm15, ymm3, ymm11
vsubpd ymm11, ymm3, ymm11
vsubpd ymm3, ymm14, ymm1
vaddpd ymm1, ymm14, ymm1
vmovupd ymm14, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm8
vsubpd ymm8, ymm14, ymm0
vaddpd ymm0, ymm14, ymm0
vsubpd ymm14, ymm2, ymm7
vaddpd ymm7, ymm2, ymm7
vaddpd ymm2, ymm6, ymm13
vsubpd ymm13, ymm6, ymm13
vaddpd ymm6, ymm5, ymm3
vsubpd ymm3, ymm5, ymm3
vsubpd ymm5, ymm10, ymm8
vaddpd ymm8, ymm10, ymm8
vaddpd ymm10, ymm9, ymm1
vsubpd ymm1, ymm9, ymm1
vaddpd ymm9, ymm12, ymm0
vsubpd ymm0, ymm12, ymm0
vmovupd ymm12, ymmword ptr [rcx + 32]
vfmadd132pd ymm12, ymm6, ymm7
vfnmadd231pd ymm6, ymm7, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 832], ymm12
vmovupd ymmword ptr [rdi - 320], ymm6
vmovupd ymm6, ymmword ptr [rcx + 32]
vmovapd ymm12, ymm3
vfmadd231pd ymm12, ymm13, ymm6
vfnmadd231pd ymm3, ymm13, ymm6
vmovupd ymmword ptr [rdi - 576], ymm12
vmovupd ymmword ptr [rdi - 64], ymm3
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm5, ymm14
vfnmadd231pd ymm5, ymm14, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 896], ymm3
vmovapd ymm3, ymm8
vfnmadd231pd ymm3, ymm2, ymm6
vfmadd231pd ymm8, ymm2, ymm6
vmovupd ymmword ptr [rdi - 640], ymm3
vmovupd ymmword ptr [rdi - 128], ymm8
vaddpd ymm8, ymm10, ymm4
vsubpd ymm4, ymm10, ymm4
vmovupd ymmword ptr [rdi - 1024], ymm8
vmovupd ymmword ptr [rdi - 512], ymm4
vsubpd ymm4, ymm1, ymm11
vaddpd ymm11, ymm1, ymm11
vmovupd ymmword ptr [rdi - 768], ymm4
vmovupd ymmword ptr [rdi - 256], ymm11
vaddpd ymm11, ymm9, ymm15
vmovupd ymmword ptr [rdi - 960], ymm11
vsubpd ymm15, ymm9, ymm15
vmovupd ymmword ptr [rdi - 448], ymm15
vmovupd ymm15, ymmword ptr [r11 + 32]
vaddpd ymm9, ymm0, ymm15
vsubpd ymm15, ymm0, ymm15
vmovupd ymmword ptr [rdi - 704], ymm9
vmovupd ymmword ptr [rdi - 192], ymm15
vmovupd ymm15, ymmword ptr [r9 + 224]
vmulpd ymm9, ymm15, ymmword ptr [rdx + 96]
vmovupd ymm0, ymmword ptr [r9 + 736]
vmulpd ymm15, ymm15, ymmword ptr [rdx + 32]
vmovupd ymm11, ymmword ptr [r9 + 480]
vmovupd ymm4, ymmword ptr [rdx + 544]
vmulpd ymm1, ymm0, ymm4
vmulpd ymm8, ymm11, ymmword ptr [rdx + 352]
vmovupd ymm10, ymmword ptr [r9 + 160]
vmulpd ymm11, ymm11, ymmword ptr [rdx + 288]
vfmsub231pd ymm9, ymm10, ymmword ptr [rdx + 32]
vmovupd ymm3, ymmword ptr [r9 + 672]
vfmadd231pd ymm15, ymm10, ymmword ptr [rdx + 96]
vmovupd ymmword ptr [rdi - 384], ymm5
vmulpd ymm0, ymm0, ymmword ptr [rdx + 608]
vmovupd ymm5, ymmword ptr [r9 + 416]
vfmadd231pd ymm1, ymm3, ymmword ptr [rdx + 608]
vfmsub231pd ymm8, ymm5, ymmword ptr [rdx + 288]
vmovupd ymm10, ymmword ptr [r9 + 992]
vfmadd231pd ymm11, ymm5, ymmword ptr [rdx + 352]
vfmsub231pd ymm0, ymm3, ymm4
vmulpd ymm4, ymm10, ymmword ptr [rdx + 864]
vmovupd ymm3, ymmword ptr [r9 + 928]
vmulpd ymm10, ymm10, ymmword ptr [rdx + 800]
vfmsub231pd ymm4, ymm3, ymmword ptr [rdx + 800]
vmovupd ymm5, ymmword ptr [r9 + 32]
vmovupd ymm6, ymmword ptr [r9 + 544]
vfmadd231pd ymm10, ymm3, ymmword ptr [rdx + 864]
vmovupd ymm3, ymmword ptr [r9 + 96]
vmovupd ymm2, ymmword ptr [rdx + 416]
vfmadd132pd ymm2, ymm5, ymm6
vmovupd ymm14, ymmword ptr [r9 + 352]
vfmadd132pd ymm6, ymm3, ymmword ptr [rdx + 480]
vmulpd ymm12, ymm14, ymmword ptr [rdx + 224]
vmovupd ymm13, ymmword ptr [r9 + 608]
vmulpd ymm14, ymm14, ymmword ptr [rdx + 160]
vfnmadd231pd ymm2, ymm13, ymmword ptr [rdx + 480]
vmovupd ymm7, ymmword ptr [r9 + 288]
vfmadd231pd ymm6, ymm13, ymmword ptr [rdx + 416]
vfmsub231pd ymm12, ymm7, ymmword ptr [rdx + 160]
vfmadd231pd ymm14, ymm7, ymmword ptr [rdx + 224]
vsubpd ymm7, ymm9, ymm0
vsubpd ymm13, ymm15, ymm1
vaddpd ymm0, ymm9, ymm0
vmovupd ymm9, ymmword ptr [r9 + 864]
vmulpd ymm5, ymm9, ymmword ptr [rdx + 736]
vaddpd ymm1, ymm15, ymm1
vmovupd ymm15, ymmword ptr [r9 + 800]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 672]
vfmsub231pd ymm5, ymm15, ymmword ptr [rdx + 672]
vfmadd231pd ymm9, ymm15, ymmword ptr [rdx + 736]
vsubpd ymm15, ymm8, ymm4
vaddpd ymm4, ymm8, ymm4
vsubpd ymm8, ymm11, ymm10
vaddpd ymm10, ymm11, ymm10
vfmsub132pd ymm3, ymm6, ymmword ptr [rcx + 0]
vaddpd ymm11, ymm13, ymm15
vsubpd ymm15, ymm13, ymm15
vsubpd ymm13, ymm7, ymm8
vaddpd ymm8, ymm7, ymm8
vaddpd ymm7, ymm0, ymm4
vsubpd ymm4, ymm0, ymm4
vaddpd ymm0, ymm1, ymm10
vsubpd ymm10, ymm1, ymm10
vsubpd ymm1, ymm12, ymm5
vaddpd ymm5, ymm12, ymm5
vsubpd ymm12, ymm14, ymm9
vaddpd ymm9, ymm14, ymm9
vsubpd ymm14, ymm13, ymm11
vmovapd ymmword ptr [r11 + 32], ymm4
vmovupd ymm4, ymmword ptr [rcx + 0]
vfmsub132pd ymm4, ymm2, ymmword ptr [r9 + 32]
vaddpd ymm11, ymm13, ymm11
vaddpd ymm13, ymm8, ymm15
vsubpd ymm15, ymm8, ymm15
vaddpd ymm8, ymm3, ymm1
vsubpd ymm1, ymm3, ymm1
vsubpd ymm3, ymm4, ymm12
vaddpd ymm12, ymm4, ymm12
vaddpd ymm4, ymm2, ymm5
vsubpd ymm5, ymm2, ymm5
vaddpd ymm2, ymm6, ymm9
vsubpd ymm9, ymm6, ymm9
vmovupd ymm6, ymmword ptr [rcx + 32]
vfmadd132pd ymm6, ymm8, ymm11
vfnmadd231pd ymm8, ymm11, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 800], ymm6
vmovupd ymmword ptr [rdi - 288], ymm8
vmovupd ymm8, ymmword ptr [rcx + 32]
vmovapd ymm6, ymm1
vfmadd231pd ymm6, ymm15, ymm8
vfnmadd231pd ymm1, ymm15, ymm8
vmovupd ymmword ptr [rdi - 544], ymm6
vmovupd ymm6, ymmword ptr [rcx + 32]
vfmadd132pd ymm6, ymm3, ymm14
vfnmadd231pd ymm3, ymm14, ymmword ptr [rcx + 32]
vmovupd ymmword ptr [rdi - 864], ymm6
vmovupd ymmword ptr [rdi - 352], ymm3
vmovapd ymm3, ymm12
vfnmadd231pd ymm3, ymm13, ymm8
vfmadd231pd ymm12, ymm13, ymm8
vmovupd ymmword ptr [rdi - 608], ymm3
vmovupd ymmword ptr [rdi - 32], ymm1
vmovupd ymmword ptr [rdi - 96], ymm12
vaddpd ymm12, ymm4, ymm7
vsubpd ymm7, ymm4, ymm7
vmovupd ymmword ptr [rdi - 992], ymm12
vmovupd ymmword ptr [rdi - 480], ymm7
vsubpd ymm7, ymm5, ymm10
vaddpd ymm10, ymm5, ymm10
vaddpd ymm5, ymm2, ymm0
vmovupd ymmword ptr [rdi - 736], ymm7
vmovupd ymmword ptr [rdi - 224], ymm10
vsubpd ymm0, ymm2, ymm0
vmovupd ymmword ptr [rdi - 928], ymm5
vmovupd ymmword ptr [rdi - 416], ymm0
vmovupd ymm0, ymmword ptr [r11 + 32]
vaddpd ymm5, ymm9, ymm0
vsubpd ymm0, ymm9, ymm0
vmovupd ymmword ptr [rdi - 672], ymm5
vmovupd ymmword ptr [rdi - 160], ymm0
# order 49 50 55 51 56 53 57 2 52 54 58 66 59 65 67 69 60 68 72 70 71 73 75 74 16 17 76 8 18 26 20 25 27 29 19 21 63 61 28 32 30 33 64 31 62 35 34 36 79 77 80 78 23 24 86 88 85 87 81 83 82 84 39 37 40 38 98 99 47 105 106 46 48 45 41 209 43 208 210 211 42 44 212 215 213 214 216 217 218 219 101 103 104 108 110 100 102 107 109 89 91 93 95 90 96 92 94 225 224 226 227 228 229 111 112 123 124 135 136 147 148 137 138 149 150 113 114 125 126 141 139 143 145 142 140 144 146 153 151 155 157 154 152 156 158 117 115 119 231 121 232 118 116 120 230 122 234 173 233 129 127 131 133 130 128 132 235 175 177 185 176 179 184 188 186 191 172 192 178 187 180 190 134 189 193 194 222 220 195 223 238 236 239 237 247 182 245 244 246 183 198 196 240 242 257 199 197 258 264 265 205 207 221 241 243 204 206 200 202 201 203 448 260 262 267 269 259 261 266 268 248 250 252 254 249 251 253 255 296 297 308 309 272 273 270 271 284 285 282 283 276 274 278 280 277 275 279 281 294 295 288 286 290 292 306 307 289 287 293 300 298 302 304 301 299 303 305 312 310 314 316 313 311 315 321 317 369 329 371 375 325 377 385 320 387 370 291 328 372 376 324 378 386 388 391 332 393 392 318 326 394 319 336 338 323 345 327 347 337 322 339 346 379 348 381 382 331 380 351 330 349 353 352 354 397 395 398 396 341 342 404 406 403 405 399 401 400 402 357 355 358 356 416 417 423 424 364 366 363 365 359 361 360 362 419 421 432 440 422 426 428 436 444 418 420 431 425 427 435 443 407 409 429 437 411 413 433 441 408 430 410 438 412 414 434 442 496 456 498 452 500 504 512 447 514 497 455 499 439 502 451 505 513 460 515 503 518 459 520 519 445 453 521 446 463 450 465 472 454 474 464 449 466 473 475 508 509 506 458 478 507 457 480 479 481 524 522 525 523 469 531 533 530 532 526 528 527 529 484 482 485 483 543 468 544 550 551 491 493 490 492 486 488 487 489 546 548 559 567 549 553 555 563 545 547 558 566 552 554 562 571 570 534 536 556 564 538 540 535 560 568 537 557 565 539 541 561 569
