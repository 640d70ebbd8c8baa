lea r10, [r9 + 1024]
lea r11, [r9 + 2048]
vbroadcastsd ymm0, qword ptr [rsi + 64]
vbroadcastsd ymm1, qword ptr [rsi + 8]
vmovupd ymm2, ymmword ptr [rdi + 128]
vbroadcastsd ymm3, qword ptr [rsi + 0]
vmulpd ymm4, ymm1, ymmword ptr [rdi + 192]
vfmsub231pd ymm4, ymm2, ymm3
vmulpd ymm3, ymm3, ymmword ptr [rdi + 192]
vfmadd231pd ymm3, ymm2, ymm1
vmovupd ymm1, ymmword ptr [rdi + 704]
vbroadcastsd ymm2, qword ptr [rsi + 72]
vmulpd ymm5, ymm1, ymm2
vmovupd ymm6, ymmword ptr [rdi + 640]
vfmsub231pd ymm5, ymm6, ymm0
vmulpd ymm0, ymm1, ymm0
vfmadd231pd ymm0, ymm6, ymm2
vmovupd ymm2, ymmword ptr [rdi + 448]
vbroadcastsd ymm6, qword ptr [rsi + 40]
vmulpd ymm1, ymm2, ymm6
vmovupd ymm7, ymmword ptr [rdi + 384]
vbroadcastsd ymm8, qword ptr [rsi + 32]
vfmsub231pd ymm1, ymm7, ymm8
vmulpd ymm8, ymm2, ymm8
vfmadd231pd ymm8, ymm7, ymm6
vmovupd ymm6, ymmword ptr [rdi + 960]
vbroadcastsd ymm7, qword ptr [rsi + 104]
vmulpd ymm2, ymm6, ymm7
vmovupd ymm9, ymmword ptr [rdi + 896]
vbroadcastsd ymm10, qword ptr [rsi + 96]
vfmsub231pd ymm2, ymm9, ymm10
vmulpd ymm10, ymm6, ymm10
vfmadd231pd ymm10, ymm9, ymm7
vmovupd ymm7, ymmword ptr [rdi + 0]
vmovupd ymm9, ymmword ptr [rdi + 512]
vbroadcastsd ymm6, qword ptr [rsi + 48]
vmovapd ymm11, ymm7
vfmadd231pd ymm11, ymm9, ymm6
vmovupd ymm12, ymmword ptr [rdi + 64]
vbroadcastsd ymm13, qword ptr [rsi + 56]
vfmadd132pd ymm9, ymm12, ymm13
vmovupd ymm14, ymmword ptr [rdi + 576]
vfnmadd231pd ymm11, ymm14, ymm13
vfmadd231pd ymm9, ymm14, ymm6
vmovupd ymm6, ymmword ptr [rdi + 320]
vbroadcastsd ymm14, qword ptr [rsi + 24]
vmulpd ymm13, ymm6, ymm14
vmovupd ymm15, ymmword ptr [rdi + 256]
vbroadcastsd ymm7, qword ptr [rsi + 16]
vfmsub231pd ymm13, ymm15, ymm7
vmulpd ymm7, ymm6, ymm7
vbroadcastsd ymm6, qword ptr [rsi + 88]
vmulpd ymm14, ymm6, ymmword ptr [rdi + 832]
vmovupd ymm15, ymmword ptr [rdi + 768]
vbroadcastsd ymm12, qword ptr [rsi + 80]
vfmsub231pd ymm14, ymm15, ymm12
vmovapd ymmword ptr [r11 + 0], ymm11
vbroadcastsd ymm11, qword ptr [rsi + 80]
vmulpd ymm12, ymm12, ymmword ptr [rdi + 832]
vaddpd ymm11, ymm8, ymm10
vfmadd231pd ymm12, ymm15, ymm6
vaddpd ymm6, ymm4, ymm5
vsubpd ymm15, ymm3, ymm0
vsubpd ymm5, ymm4, ymm5
vaddpd ymm0, ymm3, ymm0
vsubpd ymm3, ymm1, ymm2
vaddpd ymm2, ymm1, ymm2
vsubpd ymm10, ymm8, ymm10
vmovupd ymm8, ymmword ptr [rcx + 0]
vmovupd ymm1, ymmword ptr [rdi + 64]
vfmsub132pd ymm1, ymm9, ymm8
vsubpd ymm4, ymm13, ymm14
vaddpd ymm14, ymm13, ymm14
vaddpd ymm13, ymm15, ymm3
vsubpd ymm3, ymm15, ymm3
vbroadcastsd ymm15, qword ptr [rsi + 24]
vfmadd231pd ymm7, ymm15, ymmword ptr [rdi + 256]
vsubpd ymm15, ymm7, ymm12
vaddpd ymm12, ymm7, ymm12
vsubpd ymm7, ymm5, ymm10
vaddpd ymm10, ymm5, ymm10
vaddpd ymm5, ymm6, ymm2
vsubpd ymm2, ymm6, ymm2
vaddpd ymm6, ymm0, ymm11
vmovapd ymmword ptr [r11 + 32], ymm2
vmovupd ymm2, ymmword ptr [r11 + 0]
vfmsub132pd ymm8, ymm2, ymmword ptr [rdi + 0]
vsubpd ymm11, ymm0, ymm11
vmovupd ymm0, ymmword ptr [rdi + 224]
vmovapd ymmword ptr [r11 + 64], ymm6
vbroadcastsd ymm6, qword ptr [rsi + 8]
vmovapd ymmword ptr [r11 + 96], ymm11
vmulpd ymm11, ymm0, ymm6
vmovupd ymm6, ymmword ptr [rdi + 160]
vbroadcastsd ymm0, qword ptr [rsi + 0]
vfmsub231pd ymm11, ymm6, ymm0
vmovapd ymmword ptr [r11 + 128], ymm11
vaddpd ymm11, ymm2, ymm14
vsubpd ymm14, ymm2, ymm14
vaddpd ymm2, ymm1, ymm4
vsubpd ymm4, ymm1, ymm4
vsubpd ymm1, ymm8, ymm15
vaddpd ymm15, ymm8, ymm15
vsubpd ymm8, ymm7, ymm13
vaddpd ymm13, ymm7, ymm13
vaddpd ymm7, ymm10, ymm3
vsubpd ymm3, ymm10, ymm3
vaddpd ymm10, ymm9, ymm12
vsubpd ymm12, ymm9, ymm12
vmulpd ymm0, ymm0, ymmword ptr [rdi + 224]
vbroadcastsd ymm9, qword ptr [rsi + 8]
vfmadd231pd ymm0, ymm6, ymm9
vmovupd ymm9, ymmword ptr [rdi + 736]
vbroadcastsd ymm6, qword ptr [rsi + 72]
vmovapd ymmword ptr [r11 + 0], ymm0
vmulpd ymm0, ymm9, ymm6
vmovupd ymm6, ymmword ptr [rdi + 672]
vbroadcastsd ymm9, qword ptr [rsi + 64]
vfmsub231pd ymm0, ymm6, ymm9
vaddpd ymm6, ymm11, ymm5
vsubpd ymm5, ymm11, ymm5
vmovupd ymm11, ymmword ptr [r11 + 96]
vsubpd ymm9, ymm14, ymm11
vaddpd ymm11, ymm14, ymm11
vmovupd ymm14, ymmword ptr [rcx + 32]
vmovapd ymmword ptr [r11 + 96], ymm0
vmovapd ymm0, ymm1
vfmadd231pd ymm0, ymm8, ymm14
vfnmadd231pd ymm1, ymm8, ymm14
vmovapd ymm8, ymm2
vfmadd231pd ymm8, ymm13, ymm14
vfnmadd231pd ymm2, ymm13, ymm14
vmovupd ymm14, ymmword ptr [rcx + 32]
vmovapd ymm13, ymm4
vfnmadd231pd ymm13, ymm3, ymm14
vmovapd ymmword ptr [r11 + 160], ymm13
vmovapd ymm13, ymm15
vfnmadd231pd ymm13, ymm7, ymm14
vfmadd231pd ymm15, ymm7, ymm14
vfmadd231pd ymm4, ymm3, ymm14
vmovupd ymm14, ymmword ptr [r11 + 64]
vaddpd ymm3, ymm10, ymm14
vsubpd ymm14, ymm10, ymm14
vmovupd ymm10, ymmword ptr [r11 + 32]
vaddpd ymm7, ymm12, ymm10
vsubpd ymm10, ymm12, ymm10
vunpcklpd ymm12, ymm6, ymm5
vunpckhpd ymm5, ymm6, ymm5
vunpcklpd ymm6, ymm9, ymm11
vunpckhpd ymm11, ymm9, ymm11
vunpcklpd ymm9, ymm3, ymm14
vunpckhpd ymm14, ymm3, ymm14
vunpcklpd ymm3, ymm7, ymm10
vunpckhpd ymm10, ymm7, ymm10
vunpcklpd ymm7, ymm0, ymm1
vunpckhpd ymm1, ymm0, ymm1
vunpcklpd ymm0, ymm13, ymm15
vunpckhpd ymm15, ymm13, ymm15
vunpcklpd ymm13, ymm8, ymm2
vunpckhpd ymm2, ymm8, ymm2
vmovupd ymm8, ymmword ptr [r11 + 160]
vmovapd ymmword ptr [r11 + 32], ymm10
vunpcklpd ymm10, ymm4, ymm8
vunpckhpd ymm8, ymm4, ymm8
vinsertf128 ymm4, ymm12, xmm7, 1
vmovupd ymmword ptr [r10 + 0], ymm4
vperm2f128 ymm7, ymm12, ymm7, 49
vperm2f128 ymm12, ymm5, ymm1, 49
vinsertf128 ymm1, ymm5, xmm1, 1
vmovupd ymmword ptr [r10 + 128], ymm1
vmovupd ymmword ptr [r10 + 384], ymm12
vperm2f128 ymm12, ymm6, ymm0, 49
vinsertf128 ymm0, ymm6, xmm0, 1
vmovupd ymmword ptr [r10 + 32], ymm0
vmovupd ymmword ptr [r10 + 288], ymm12
vperm2f128 ymm12, ymm11, ymm15, 49
vinsertf128 ymm15, ymm11, xmm15, 1
vmovupd ymmword ptr [r10 + 160], ymm15
vmovupd ymmword ptr [r10 + 416], ymm12
vperm2f128 ymm12, ymm9, ymm13, 49
vmovupd ymmword ptr [r10 + 320], ymm12
vinsertf128 ymm13, ymm9, xmm13, 1
vperm2f128 ymm9, ymm14, ymm2, 49
vinsertf128 ymm2, ymm14, xmm2, 1
vperm2f128 ymm14, ymm3, ymm10, 49
vmovupd ymmword ptr [r10 + 64], ymm13
vmovupd ymmword ptr [r10 + 192], ymm2
vmovupd ymmword ptr [r10 + 448], ymm9
vinsertf128 ymm10, ymm3, xmm10, 1
vmovupd ymmword ptr [r10 + 96], ymm10
vmovupd ymmword ptr [r10 + 352], ymm14
vmovupd ymm14, ymmword ptr [r11 + 32]
vperm2f128 ymm10, ymm14, ymm8, 49
vinsertf128 ymm8, ymm14, xmm8, 1
vmovupd ymmword ptr [r10 + 224], ymm8
vmovupd ymmword ptr [r10 + 480], ymm10
vmovupd ymmword ptr [r10 + 256], ymm7
vbroadcastsd ymm7, qword ptr [rsi + 64]
vmulpd ymm7, ymm7, ymmword ptr [rdi + 736]
vbroadcastsd ymm10, qword ptr [rsi + 72]
vfmadd231pd ymm7, ymm10, ymmword ptr [rdi + 672]
vmovupd ymm10, ymmword ptr [rdi + 480]
vbroadcastsd ymm8, qword ptr [rsi + 40]
vmulpd ymm14, ymm10, ymm8
vmovupd ymm3, ymmword ptr [rdi + 416]
vbroadcastsd ymm9, qword ptr [rsi + 32]
vfmsub231pd ymm14, ymm3, ymm9
vmulpd ymm9, ymm10, ymm9
vfmadd231pd ymm9, ymm3, ymm8
vmovupd ymm8, ymmword ptr [rdi + 992]
vbroadcastsd ymm3, qword ptr [rsi + 104]
vmulpd ymm10, ymm8, ymm3
vmovupd ymm2, ymmword ptr [rdi + 928]
vbroadcastsd ymm13, qword ptr [rsi + 96]
vfmsub231pd ymm10, ymm2, ymm13
vmulpd ymm13, ymm8, ymm13
vfmadd231pd ymm13, ymm2, ymm3
vmovupd ymm3, ymmword ptr [rdi + 544]
vmovupd ymm2, ymmword ptr [rdi + 32]
vbroadcastsd ymm8, qword ptr [rsi + 48]
vmovapd ymm12, ymm2
vfmadd231pd ymm12, ymm3, ymm8
vmovupd ymm15, ymmword ptr [rdi + 96]
vbroadcastsd ymm11, qword ptr [rsi + 56]
vfmadd132pd ymm3, ymm15, ymm11
vmovupd ymm0, ymmword ptr [rdi + 608]
vfnmadd231pd ymm12, ymm0, ymm11
vfmadd231pd ymm3, ymm0, ymm8
vmovupd ymm8, ymmword ptr [rdi + 352]
vbroadcastsd ymm0, qword ptr [rsi + 24]
vmulpd ymm11, ymm8, ymm0
vmovupd ymm6, ymmword ptr [rdi + 288]
vbroadcastsd ymm1, qword ptr [rsi + 16]
vfmsub231pd ymm11, ymm6, ymm1
vmulpd ymm1, ymm8, ymm1
vfmadd231pd ymm1, ymm6, ymm0
vmovupd ymm0, ymmword ptr [rdi + 864]
vbroadcastsd ymm6, qword ptr [rsi + 88]
vmulpd ymm8, ymm0, ymm6
vmovupd ymm5, ymmword ptr [rdi + 800]
vbroadcastsd ymm4, qword ptr [rsi + 80]
vfmsub231pd ymm8, ymm5, ymm4
vmulpd ymm4, ymm0, ymm4
vfmadd231pd ymm4, ymm5, ymm6
vmovupd ymm6, ymmword ptr [r11 + 128]
vmovupd ymm5, ymmword ptr [r11 + 96]
vsubpd ymm0, ymm6, ymm5
vaddpd ymm5, ymm6, ymm5
vmovupd ymm6, ymmword ptr [r11 + 0]
vsubpd ymm2, ymm6, ymm7
vaddpd ymm7, ymm6, ymm7
vsubpd ymm6, ymm14, ymm10
vaddpd ymm10, ymm14, ymm10
vsubpd ymm14, ymm9, ymm13
vaddpd ymm13, ymm9, ymm13
vmovupd ymm9, ymmword ptr [rcx + 0]
vfmsub132pd ymm15, ymm3, ymm9
vsubpd ymm9, ymm11, ymm8
vaddpd ymm8, ymm11, ymm8
vaddpd ymm11, ymm2, ymm6
vsubpd ymm6, ymm2, ymm6
vsubpd ymm2, ymm1, ymm4
vaddpd ymm4, ymm1, ymm4
vsubpd ymm1, ymm0, ymm14
vaddpd ymm14, ymm0, ymm14
vaddpd ymm0, ymm5, ymm10
vsubpd ymm10, ymm5, ymm10
vaddpd ymm5, ymm7, ymm13
vsubpd ymm13, ymm7, ymm13
vaddpd ymm7, ymm12, ymm8
vsubpd ymm8, ymm12, ymm8
vmovapd ymmword ptr [r11 + 0], ymm10
vmovupd ymm10, ymmword ptr [rcx + 0]
vfmsub231pd ymm12, ymm10, ymmword ptr [rdi + 32]
vaddpd ymm10, ymm15, ymm9
vmovapd ymmword ptr [r11 + 96], ymm5
vsubpd ymm5, ymm1, ymm11
vsubpd ymm9, ymm15, ymm9
vsubpd ymm15, ymm12, ymm2
vaddpd ymm2, ymm12, ymm2
vaddpd ymm11, ymm1, ymm11
vaddpd ymm1, ymm14, ymm6
vsubpd ymm6, ymm14, ymm6
vaddpd ymm14, ymm3, ymm4
vsubpd ymm4, ymm3, ymm4
vaddpd ymm3, ymm7, ymm0
vsubpd ymm0, ymm7, ymm0
vsubpd ymm7, ymm8, ymm13
vaddpd ymm13, ymm8, ymm13
vmovupd ymm8, ymmword ptr [rcx + 32]
vmovapd ymm12, ymm15
vfmadd231pd ymm12, ymm5, ymm8
vfnmadd231pd ymm15, ymm5, ymm8
vmovapd ymm5, ymm10
vfmadd231pd ymm5, ymm11, ymm8
vfnmadd231pd ymm10, ymm11, ymm8
vmovupd ymm8, ymmword ptr [rcx + 32]
vmovapd ymm11, ymm2
vfnmadd231pd ymm11, ymm1, ymm8
vfmadd231pd ymm2, ymm1, ymm8
vmovapd ymm1, ymm9
vfmadd231pd ymm1, ymm6, ymm8
vfnmadd231pd ymm9, ymm6, ymm8
vunpckhpd ymm8, ymm1, ymm9
vmovupd ymm6, ymmword ptr [r11 + 96]
vmovapd ymmword ptr [r11 + 128], ymm8
vaddpd ymm8, ymm14, ymm6
vsubpd ymm6, ymm14, ymm6
vmovupd ymm14, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 96], ymm1
vaddpd ymm1, ymm4, ymm14
vsubpd ymm14, ymm4, ymm14
vunpcklpd ymm4, ymm3, ymm0
vunpckhpd ymm0, ymm3, ymm0
vunpcklpd ymm3, ymm7, ymm13
vunpckhpd ymm13, ymm7, ymm13
vunpcklpd ymm7, ymm8, ymm6
vmovapd ymmword ptr [r11 + 0], ymm8
vunpcklpd ymm8, ymm1, ymm14
vunpckhpd ymm14, ymm1, ymm14
vunpcklpd ymm1, ymm12, ymm15
vunpckhpd ymm15, ymm12, ymm15
vunpcklpd ymm12, ymm11, ymm2
vunpckhpd ymm2, ymm11, ymm2
vunpcklpd ymm11, ymm5, ymm10
vunpckhpd ymm10, ymm5, ymm10
vperm2f128 ymm5, ymm13, ymm2, 49
vmovapd ymmword ptr [r11 + 32], ymm14
vmovupd ymm14, ymmword ptr [r11 + 96]
vunpcklpd ymm9, ymm14, ymm9
vperm2f128 ymm14, ymm4, ymm1, 49
vinsertf128 ymm1, ymm4, xmm1, 1
vmovupd ymmword ptr [r10 + 512], ymm1
vmovupd ymmword ptr [r10 + 768], ymm14
vperm2f128 ymm14, ymm0, ymm15, 49
vinsertf128 ymm15, ymm0, xmm15, 1
vmovupd ymmword ptr [r10 + 640], ymm15
vmovupd ymmword ptr [r10 + 896], ymm14
vperm2f128 ymm14, ymm3, ymm12, 49
vinsertf128 ymm12, ymm3, xmm12, 1
vmovupd ymmword ptr [r10 + 544], ymm12
vmovupd ymmword ptr [r10 + 800], ymm14
vinsertf128 ymm2, ymm13, xmm2, 1
vmovupd ymmword ptr [r10 + 672], ymm2
vmovupd ymmword ptr [r10 + 928], ymm5
vperm2f128 ymm5, ymm7, ymm11, 49
vinsertf128 ymm11, ymm7, xmm11, 1
vmovupd ymmword ptr [r10 + 576], ymm11
vperm2f128 ymm11, ymm8, ymm9, 49
vmovupd ymm7, ymmword ptr [r11 + 0]
vunpckhpd ymm6, ymm7, ymm6
vmovupd ymmword ptr [r10 + 832], ymm5
vperm2f128 ymm5, ymm6, ymm10, 49
vinsertf128 ymm10, ymm6, xmm10, 1
vmovupd ymmword ptr [r10 + 704], ymm10
vmovupd ymmword ptr [r10 + 960], ymm5
vinsertf128 ymm9, ymm8, xmm9, 1
vmovupd ymmword ptr [r10 + 608], ymm9
vmovupd ymmword ptr [r10 + 864], ymm11
vmovupd ymm11, ymmword ptr [r11 + 32]
vmovupd ymm9, ymmword ptr [r11 + 128]
vperm2f128 ymm8, ymm11, ymm9, 49
vinsertf128 ymm9, ymm11, xmm9, 1
vmovupd ymmword ptr [r10 + 736], ymm9
vmovupd ymmword ptr [r10 + 992], ymm8
add rsi, 112
add rdi, 1024
xchg r9, r10
dec r8
jz 3f
2:
vmovupd ymm0, ymmword ptr [r9 + 640]
vmovupd ymm1, ymmword ptr [rdx + 832]
vbroadcastsd ymm2, qword ptr [rsi + 64]
vmovupd ymm3, ymmword ptr [r9 + 192]
vmulpd ymm4, ymm3, ymmword ptr [rdx + 64]
vmovupd ymm5, ymmword ptr [r9 + 128]
vmovupd ymm6, ymmword ptr [rdx + 0]
vfmsub231pd ymm4, ymm5, ymm6
vmulpd ymm6, ymm3, ymm6
vfmadd231pd ymm6, ymm5, ymmword ptr [rdx + 64]
vmovupd ymm5, ymmword ptr [r9 + 704]
vmulpd ymm3, ymm5, ymmword ptr [rdx + 576]
vfmsub231pd ymm3, ymm0, ymmword ptr [rdx + 512]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 512]
vmovupd ymm7, ymmword ptr [r9 + 576]
vfmadd231pd ymm5, ymm0, ymmword ptr [rdx + 576]
vmovupd ymm0, ymmword ptr [r9 + 448]
vmulpd ymm8, ymm0, ymmword ptr [rdx + 320]
vmovupd ymm9, ymmword ptr [r9 + 384]
vfmsub231pd ymm8, ymm9, ymmword ptr [rdx + 256]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 256]
vfmadd231pd ymm0, ymm9, ymmword ptr [rdx + 320]
vmovupd ymm9, ymmword ptr [r9 + 960]
vmulpd ymm10, ymm9, ymmword ptr [rdx + 768]
vmulpd ymm9, ymm9, ymm1
vmovupd ymm11, ymmword ptr [r9 + 896]
vfmsub231pd ymm9, ymm11, ymmword ptr [rdx + 768]
vfmadd231pd ymm10, ymm11, ymm1
vmovupd ymm1, ymmword ptr [r9 + 0]
vmovupd ymm11, ymmword ptr [r9 + 512]
vmovupd ymm12, ymmword ptr [rdx + 384]
vfmadd132pd ymm12, ymm1, ymm11
vmovupd ymm13, ymmword ptr [r9 + 64]
vfmadd132pd ymm11, ymm13, ymmword ptr [rdx + 448]
vfnmadd231pd ymm12, ymm7, ymmword ptr [rdx + 448]
vfmadd231pd ymm11, ymm7, ymmword ptr [rdx + 384]
vmovupd ymm7, ymmword ptr [r9 + 320]
vmulpd ymm14, ymm7, ymmword ptr [rdx + 192]
vmovupd ymm15, ymmword ptr [r9 + 256]
vfmsub231pd ymm14, ymm15, ymmword ptr [rdx + 128]
vmulpd ymm7, ymm7, ymmword ptr [rdx + 128]
vfmadd231pd ymm7, ymm15, ymmword ptr [rdx + 192]
vmovupd ymm15, ymmword ptr [r9 + 832]
vmulpd ymm2, ymm15, ymmword ptr [rdx + 704]
vmovupd ymm13, ymmword ptr [r9 + 768]
vfmsub231pd ymm2, ymm13, ymmword ptr [rdx + 640]
vmulpd ymm15, ymm15, ymmword ptr [rdx + 640]
vfmadd231pd ymm15, ymm13, ymmword ptr [rdx + 704]
vsubpd ymm13, ymm7, ymm15
vmovapd ymmword ptr [r11 + 0], ymm13
vsubpd ymm13, ymm4, ymm3
vaddpd ymm3, ymm4, ymm3
vsubpd ymm4, ymm6, ymm5
vaddpd ymm5, ymm6, ymm5
vsubpd ymm6, ymm8, ymm9
vaddpd ymm9, ymm8, ymm9
vsubpd ymm8, ymm0, ymm10
vaddpd ymm10, ymm0, ymm10
vaddpd ymm0, ymm5, ymm10
vmovapd ymmword ptr [r11 + 32], ymm0
vmovupd ymm0, ymmword ptr [rcx + 0]
vfmsub132pd ymm1, ymm12, ymm0
vfmsub132pd ymm0, ymm11, ymmword ptr [r9 + 64]
vmovapd ymmword ptr [r11 + 64], ymm11
vsubpd ymm11, ymm14, ymm2
vaddpd ymm2, ymm14, ymm2
vaddpd ymm14, ymm4, ymm6
vsubpd ymm6, ymm4, ymm6
vaddpd ymm15, ymm7, ymm15
vsubpd ymm7, ymm13, ymm8
vaddpd ymm8, ymm13, ymm8
vaddpd ymm13, ymm3, ymm9
vsubpd ymm9, ymm3, ymm9
vsubpd ymm10, ymm5, ymm10
vaddpd ymm5, ymm12, ymm2
vsubpd ymm2, ymm12, ymm2
vsubpd ymm12, ymm2, ymm10
vaddpd ymm3, ymm0, ymm11
vsubpd ymm11, ymm0, ymm11
vmovupd ymm0, ymmword ptr [r11 + 0]
vsubpd ymm4, ymm1, ymm0
vaddpd ymm0, ymm1, ymm0
vsubpd ymm1, ymm7, ymm14
vaddpd ymm14, ymm7, ymm14
vaddpd ymm7, ymm8, ymm6
vsubpd ymm6, ymm8, ymm6
vmovupd ymm8, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 0], ymm12
vaddpd ymm12, ymm8, ymm15
vsubpd ymm15, ymm8, ymm15
vsubpd ymm8, ymm5, ymm13
vaddpd ymm13, ymm5, ymm13
vmovupd ymmword ptr [rdi - 1024], ymm13
vmovupd ymmword ptr [rdi - 512], ymm8
vaddpd ymm10, ymm2, ymm10
vmovupd ymmword ptr [rdi - 256], ymm10
vmovupd ymm10, ymmword ptr [rcx + 32]
vmovapd ymm2, ymm3
vfmadd231pd ymm2, ymm14, ymm10
vfnmadd231pd ymm3, ymm14, ymm10
vmovapd ymm14, ymm4
vfmadd231pd ymm14, ymm1, ymm10
vfnmadd231pd ymm4, ymm1, ymm10
vmovupd ymmword ptr [rdi - 896], ymm14
vmovupd ymmword ptr [rdi - 384], ymm4
vmovupd ymmword ptr [rdi - 832], ymm2
vmovupd ymm2, ymmword ptr [rcx + 32]
vmovapd ymm4, ymm0
vfnmadd231pd ymm4, ymm7, ymm2
vfmadd231pd ymm0, ymm7, ymm2
vmovupd ymmword ptr [rdi - 640], ymm4
vmovapd ymm4, ymm11
vfmadd231pd ymm4, ymm6, ymm2
vfnmadd231pd ymm11, ymm6, ymm2
vmovupd ymmword ptr [rdi - 576], ymm4
vmovupd ymm4, ymmword ptr [r11 + 32]
vsubpd ymm2, ymm12, ymm4
vmovupd ymmword ptr [rdi - 128], ymm0
vmovupd ymmword ptr [rdi - 64], ymm11
vaddpd ymm4, ymm12, ymm4
vmovupd ymmword ptr [rdi - 960], ymm4
vmovupd ymmword ptr [rdi - 448], ymm2
vaddpd ymm2, ymm15, ymm9
vsubpd ymm9, ymm15, ymm9
vmovupd ymmword ptr [rdi - 704], ymm2
vmovupd ymmword ptr [rdi - 192], ymm9
vbroadcastsd ymm9, qword ptr [rsi + 8]
vmovupd ymm2, ymmword ptr [rdi + 128]
vbroadcastsd ymm15, qword ptr [rsi + 0]
vmulpd ymm4, ymm9, ymmword ptr [rdi + 192]
vfmsub231pd ymm4, ymm2, ymm15
vmulpd ymm15, ymm15, ymmword ptr [rdi + 192]
vfmadd231pd ymm15, ymm2, ymm9
vmovupd ymm9, ymmword ptr [rdi + 704]
vbroadcastsd ymm2, qword ptr [rsi + 72]
vmulpd ymm12, ymm9, ymm2
vmovupd ymm11, ymmword ptr [rdi + 640]
vbroadcastsd ymm0, qword ptr [rsi + 64]
vfmsub231pd ymm12, ymm11, ymm0
vmulpd ymm0, ymm9, ymm0
vfmadd231pd ymm0, ymm11, ymm2
vmovupd ymm2, ymmword ptr [rdi + 448]
vbroadcastsd ymm11, qword ptr [rsi + 40]
vmulpd ymm9, ymm2, ymm11
vmovupd ymm6, ymmword ptr [rdi + 384]
vbroadcastsd ymm7, qword ptr [rsi + 32]
vfmsub231pd ymm9, ymm6, ymm7
vmulpd ymm7, ymm2, ymm7
vmovupd ymmword ptr [rdi - 320], ymm3
vfmadd231pd ymm7, ymm6, ymm11
vmovupd ymm11, ymmword ptr [rdi + 960]
vbroadcastsd ymm6, qword ptr [rsi + 104]
vmulpd ymm3, ymm11, ymm6
vmovupd ymm2, ymmword ptr [rdi + 896]
vbroadcastsd ymm14, qword ptr [rsi + 96]
vfmsub231pd ymm3, ymm2, ymm14
vmovupd ymm10, ymmword ptr [r11 + 0]
vmovupd ymmword ptr [rdi - 768], ymm10
vmulpd ymm14, ymm11, ymm14
vfmadd231pd ymm14, ymm2, ymm6
vmovupd ymm6, ymmword ptr [rdi + 0]
vmovupd ymm2, ymmword ptr [rdi + 512]
vbroadcastsd ymm11, qword ptr [rsi + 48]
vmovapd ymm10, ymm6
vfmadd231pd ymm10, ymm2, ymm11
vmovupd ymm1, ymmword ptr [rdi + 64]
vbroadcastsd ymm8, qword ptr [rsi + 56]
vfmadd132pd ymm2, ymm1, ymm8
vmovupd ymm13, ymmword ptr [rdi + 576]
vfnmadd231pd ymm10, ymm13, ymm8
vfmadd231pd ymm2, ymm13, ymm11
vmovupd ymm11, ymmword ptr [rdi + 320]
vbroadcastsd ymm13, qword ptr [rsi + 24]
vmulpd ymm8, ymm11, ymm13
vmovupd ymm5, ymmword ptr [rdi + 256]
vbroadcastsd ymm6, qword ptr [rsi + 16]
vfmsub231pd ymm8, ymm5, ymm6
vmulpd ymm6, ymm11, ymm6
vbroadcastsd ymm11, qword ptr [rsi + 88]
vmulpd ymm13, ymm11, ymmword ptr [rdi + 832]
vmovupd ymm5, ymmword ptr [rdi + 768]
vbroadcastsd ymm1, qword ptr [rsi + 80]
vfmsub231pd ymm13, ymm5, ymm1
vmovapd ymmword ptr [r11 + 0], ymm10
vbroadcastsd ymm10, qword ptr [rsi + 80]
vmulpd ymm1, ymm1, ymmword ptr [rdi + 832]
vaddpd ymm10, ymm7, ymm14
vfmadd231pd ymm1, ymm5, ymm11
vaddpd ymm11, ymm4, ymm12
vsubpd ymm5, ymm15, ymm0
vsubpd ymm12, ymm4, ymm12
vaddpd ymm0, ymm15, ymm0
vsubpd ymm15, ymm9, ymm3
vaddpd ymm3, ymm9, ymm3
vsubpd ymm14, ymm7, ymm14
vmovupd ymm7, ymmword ptr [rcx + 0]
vmovupd ymm9, ymmword ptr [rdi + 64]
vfmsub132pd ymm9, ymm2, ymm7
vsubpd ymm4, ymm8, ymm13
vaddpd ymm13, ymm8, ymm13
vaddpd ymm8, ymm5, ymm15
vsubpd ymm15, ymm5, ymm15
vbroadcastsd ymm5, qword ptr [rsi + 24]
vfmadd231pd ymm6, ymm5, ymmword ptr [rdi + 256]
vsubpd ymm5, ymm6, ymm1
vaddpd ymm1, ymm6, ymm1
vsubpd ymm6, ymm12, ymm14
vaddpd ymm14, ymm12, ymm14
vaddpd ymm12, ymm11, ymm3
vsubpd ymm3, ymm11, ymm3
vaddpd ymm11, ymm0, ymm10
vmovapd ymmword ptr [r11 + 32], ymm3
vmovupd ymm3, ymmword ptr [r11 + 0]
vfmsub132pd ymm7, ymm3, ymmword ptr [rdi + 0]
vsubpd ymm10, ymm0, ymm10
vmovupd ymm0, ymmword ptr [rdi + 224]
vmovapd ymmword ptr [r11 + 64], ymm11
vbroadcastsd ymm11, qword ptr [rsi + 8]
vmovapd ymmword ptr [r11 + 96], ymm10
vmulpd ymm10, ymm0, ymm11
vmovupd ymm11, ymmword ptr [rdi + 160]
vbroadcastsd ymm0, qword ptr [rsi + 0]
vfmsub231pd ymm10, ymm11, ymm0
vmovapd ymmword ptr [r11 + 128], ymm10
vaddpd ymm10, ymm3, ymm13
vsubpd ymm13, ymm3, ymm13
vaddpd ymm3, ymm9, ymm4
vsubpd ymm4, ymm9, ymm4
vsubpd ymm9, ymm7, ymm5
vaddpd ymm5, ymm7, ymm5
vsubpd ymm7, ymm6, ymm8
vaddpd ymm8, ymm6, ymm8
vaddpd ymm6, ymm14, ymm15
vsubpd ymm15, ymm14, ymm15
vaddpd ymm14, ymm2, ymm1
vsubpd ymm1, ymm2, ymm1
vmulpd ymm0, ymm0, ymmword ptr [rdi + 224]
vbroadcastsd ymm2, qword ptr [rsi + 8]
vfmadd231pd ymm0, ymm11, ymm2
vmovupd ymm2, ymmword ptr [rdi + 736]
vbroadcastsd ymm11, qword ptr [rsi + 72]
vmovapd ymmword ptr [r11 + 0], ymm0
vmulpd ymm0, ymm2, ymm11
vmovupd ymm11, ymmword ptr [rdi + 672]
vbroadcastsd ymm2, qword ptr [rsi + 64]
vfmsub231pd ymm0, ymm11, ymm2
vaddpd ymm11, ymm10, ymm12
vsubpd ymm12, ymm10, ymm12
vmovupd ymm10, ymmword ptr [r11 + 96]
vsubpd ymm2, ymm13, ymm10
vaddpd ymm10, ymm13, ymm10
vmovupd ymm13, ymmword ptr [rcx + 32]
vmovapd ymmword ptr [r11 + 96], ymm0
vmovapd ymm0, ymm9
vfmadd231pd ymm0, ymm7, ymm13
vfnmadd231pd ymm9, ymm7, ymm13
vmovapd ymm7, ymm3
vfmadd231pd ymm7, ymm8, ymm13
vfnmadd231pd ymm3, ymm8, ymm13
vmovupd ymm13, ymmword ptr [rcx + 32]
vmovapd ymm8, ymm4
vfnmadd231pd ymm8, ymm15, ymm13
vmovapd ymmword ptr [r11 + 160], ymm8
vmovapd ymm8, ymm5
vfnmadd231pd ymm8, ymm6, ymm13
vfmadd231pd ymm5, ymm6, ymm13
vfmadd231pd ymm4, ymm15, ymm13
vmovupd ymm13, ymmword ptr [r11 + 64]
vaddpd ymm15, ymm14, ymm13
vsubpd ymm13, ymm14, ymm13
vmovupd ymm14, ymmword ptr [r11 + 32]
vaddpd ymm6, ymm1, ymm14
vsubpd ymm14, ymm1, ymm14
vunpcklpd ymm1, ymm11, ymm12
vunpckhpd ymm12, ymm11, ymm12
vunpcklpd ymm11, ymm2, ymm10
vunpckhpd ymm10, ymm2, ymm10
vunpcklpd ymm2, ymm15, ymm13
vunpckhpd ymm13, ymm15, ymm13
vunpcklpd ymm15, ymm6, ymm14
vunpckhpd ymm14, ymm6, ymm14
vunpcklpd ymm6, ymm0, ymm9
vunpckhpd ymm9, ymm0, ymm9
vunpcklpd ymm0, ymm8, ymm5
vunpckhpd ymm5, ymm8, ymm5
vunpcklpd ymm8, ymm7, ymm3
vunpckhpd ymm3, ymm7, ymm3
vmovupd ymm7, ymmword ptr [r11 + 160]
vmovapd ymmword ptr [r11 + 32], ymm14
vunpcklpd ymm14, ymm4, ymm7
vunpckhpd ymm7, ymm4, ymm7
vinsertf128 ymm4, ymm1, xmm6, 1
vmovupd ymmword ptr [r10 + 0], ymm4
vperm2f128 ymm6, ymm1, ymm6, 49
vperm2f128 ymm1, ymm12, ymm9, 49
vinsertf128 ymm9, ymm12, xmm9, 1
vmovupd ymmword ptr [r10 + 128], ymm9
vmovupd ymmword ptr [r10 + 384], ymm1
vperm2f128 ymm1, ymm11, ymm0, 49
vinsertf128 ymm0, ymm11, xmm0, 1
vmovupd ymmword ptr [r10 + 32], ymm0
vmovupd ymmword ptr [r10 + 288], ymm1
vperm2f128 ymm1, ymm10, ymm5, 49
vinsertf128 ymm5, ymm10, xmm5, 1
vmovupd ymmword ptr [r10 + 160], ymm5
vmovupd ymmword ptr [r10 + 416], ymm1
vperm2f128 ymm1, ymm2, ymm8, 49
vmovupd ymmword ptr [r10 + 320], ymm1
vinsertf128 ymm8, ymm2, xmm8, 1
vperm2f128 ymm2, ymm13, ymm3, 49
vinsertf128 ymm3, ymm13, xmm3, 1
vperm2f128 ymm13, ymm15, ymm14, 49
vmovupd ymmword ptr [r10 + 64], ymm8
vmovupd ymmword ptr [r10 + 192], ymm3
vmovupd ymmword ptr [r10 + 448], ymm2
vinsertf128 ymm14, ymm15, xmm14, 1
vmovupd ymmword ptr [r10 + 96], ymm14
vmovupd ymmword ptr [r10 + 352], ymm13
vmovupd ymm13, ymmword ptr [r11 + 32]
vperm2f128 ymm14, ymm13, ymm7, 49
vinsertf128 ymm7, ymm13, xmm7, 1
vmovupd ymmword ptr [r10 + 224], ymm7
vmovupd ymmword ptr [r10 + 480], ymm14
vmovupd ymmword ptr [r10 + 256], ymm6
vbroadcastsd ymm6, qword ptr [rsi + 64]
vmulpd ymm6, ymm6, ymmword ptr [rdi + 736]
vbroadcastsd ymm14, qword ptr [rsi + 72]
vfmadd231pd ymm6, ymm14, ymmword ptr [rdi + 672]
vmovupd ymm14, ymmword ptr [rdi + 480]
vbroadcastsd ymm7, qword ptr [rsi + 40]
vmulpd ymm13, ymm14, ymm7
vmovupd ymm15, ymmword ptr [rdi + 416]
vbroadcastsd ymm2, qword ptr [rsi + 32]
vfmsub231pd ymm13, ymm15, ymm2
vmulpd ymm2, ymm14, ymm2
vmovupd ymm14, ymmword ptr [rdx + 672]
vfmadd231pd ymm2, ymm15, ymm7
vmovupd ymm7, ymmword ptr [rdi + 992]
vbroadcastsd ymm15, qword ptr [rsi + 104]
vmulpd ymm3, ymm7, ymm15
vmovupd ymm8, ymmword ptr [rdx + 224]
vmulpd ymm1, ymm8, ymmword ptr [r9 + 352]
vmovupd ymm5, ymmword ptr [rdi + 928]
vbroadcastsd ymm10, qword ptr [rsi + 96]
vfmsub231pd ymm3, ymm5, ymm10
vmulpd ymm10, ymm7, ymm10
vfmadd231pd ymm10, ymm5, ymm15
vmovupd ymm15, ymmword ptr [rdi + 544]
vmovupd ymm5, ymmword ptr [rdi + 32]
vbroadcastsd ymm7, qword ptr [rsi + 48]
vmovapd ymm0, ymm5
vfmadd231pd ymm0, ymm15, ymm7
vmovupd ymm11, ymmword ptr [rdi + 96]
vbroadcastsd ymm9, qword ptr [rsi + 56]
vfmadd132pd ymm15, ymm11, ymm9
vmovupd ymm12, ymmword ptr [rdi + 608]
vfnmadd231pd ymm0, ymm12, ymm9
vfmadd231pd ymm15, ymm12, ymm7
vmovupd ymm7, ymmword ptr [rdi + 352]
vbroadcastsd ymm12, qword ptr [rsi + 24]
vmulpd ymm9, ymm7, ymm12
vmovupd ymm4, ymmword ptr [rdi + 288]
vbroadcastsd ymm14, qword ptr [rsi + 16]
vfmsub231pd ymm9, ymm4, ymm14
vmulpd ymm14, ymm7, ymm14
vfmadd231pd ymm14, ymm4, ymm12
vmovupd ymm12, ymmword ptr [rdi + 864]
vbroadcastsd ymm4, qword ptr [rsi + 88]
vmulpd ymm7, ymm12, ymm4
vmovupd ymm8, ymmword ptr [rdi + 800]
vmovapd ymmword ptr [r11 + 32], ymm1
vbroadcastsd ymm1, qword ptr [rsi + 80]
vfmsub231pd ymm7, ymm8, ymm1
vmulpd ymm1, ymm12, ymm1
vfmadd231pd ymm1, ymm8, ymm4
vmovupd ymm4, ymmword ptr [r11 + 128]
vmovupd ymm8, ymmword ptr [r11 + 96]
vsubpd ymm12, ymm4, ymm8
vaddpd ymm8, ymm4, ymm8
vmovupd ymm4, ymmword ptr [r11 + 0]
vsubpd ymm5, ymm4, ymm6
vaddpd ymm6, ymm4, ymm6
vsubpd ymm4, ymm13, ymm3
vaddpd ymm3, ymm13, ymm3
vsubpd ymm13, ymm2, ymm10
vaddpd ymm10, ymm2, ymm10
vmovupd ymm2, ymmword ptr [rcx + 0]
vfmsub132pd ymm11, ymm15, ymm2
vsubpd ymm2, ymm9, ymm7
vaddpd ymm7, ymm9, ymm7
vaddpd ymm9, ymm5, ymm4
vsubpd ymm4, ymm5, ymm4
vsubpd ymm5, ymm14, ymm1
vaddpd ymm1, ymm14, ymm1
vsubpd ymm14, ymm12, ymm13
vaddpd ymm13, ymm12, ymm13
vaddpd ymm12, ymm8, ymm3
vsubpd ymm3, ymm8, ymm3
vaddpd ymm8, ymm6, ymm10
vsubpd ymm10, ymm6, ymm10
vaddpd ymm6, ymm0, ymm7
vsubpd ymm7, ymm0, ymm7
vmovapd ymmword ptr [r11 + 0], ymm3
vmovupd ymm3, ymmword ptr [rcx + 0]
vfmsub231pd ymm0, ymm3, ymmword ptr [rdi + 32]
vaddpd ymm3, ymm11, ymm2
vmovapd ymmword ptr [r11 + 96], ymm8
vsubpd ymm8, ymm14, ymm9
vsubpd ymm2, ymm11, ymm2
vsubpd ymm11, ymm0, ymm5
vaddpd ymm5, ymm0, ymm5
vaddpd ymm9, ymm14, ymm9
vaddpd ymm14, ymm13, ymm4
vsubpd ymm4, ymm13, ymm4
vaddpd ymm13, ymm15, ymm1
vsubpd ymm1, ymm15, ymm1
vaddpd ymm15, ymm6, ymm12
vsubpd ymm12, ymm6, ymm12
vsubpd ymm6, ymm7, ymm10
vaddpd ymm10, ymm7, ymm10
vmovupd ymm7, ymmword ptr [rcx + 32]
vmovapd ymm0, ymm11
vfmadd231pd ymm0, ymm8, ymm7
vfnmadd231pd ymm11, ymm8, ymm7
vmovapd ymm8, ymm3
vfmadd231pd ymm8, ymm9, ymm7
vfnmadd231pd ymm3, ymm9, ymm7
vmovupd ymm7, ymmword ptr [rcx + 32]
vmovapd ymm9, ymm5
vfnmadd231pd ymm9, ymm14, ymm7
vfmadd231pd ymm5, ymm14, ymm7
vmovapd ymm14, ymm2
vfmadd231pd ymm14, ymm4, ymm7
vfnmadd231pd ymm2, ymm4, ymm7
vunpckhpd ymm7, ymm14, ymm2
vmovupd ymm4, ymmword ptr [r11 + 96]
vmovapd ymmword ptr [r11 + 128], ymm7
vaddpd ymm7, ymm13, ymm4
vsubpd ymm4, ymm13, ymm4
vmovupd ymm13, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 96], ymm14
vaddpd ymm14, ymm1, ymm13
vsubpd ymm13, ymm1, ymm13
vunpcklpd ymm1, ymm15, ymm12
vunpckhpd ymm12, ymm15, ymm12
vunpcklpd ymm15, ymm6, ymm10
vunpckhpd ymm10, ymm6, ymm10
vunpcklpd ymm6, ymm7, ymm4
vmovapd ymmword ptr [r11 + 0], ymm7
vunpcklpd ymm7, ymm14, ymm13
vunpckhpd ymm13, ymm14, ymm13
vunpcklpd ymm14, ymm0, ymm11
vunpckhpd ymm11, ymm0, ymm11
vunpcklpd ymm0, ymm9, ymm5
vunpckhpd ymm5, ymm9, ymm5
vunpcklpd ymm9, ymm8, ymm3
vunpckhpd ymm3, ymm8, ymm3
vperm2f128 ymm8, ymm10, ymm5, 49
vmovapd ymmword ptr [r11 + 160], ymm13
vmovupd ymm13, ymmword ptr [r11 + 96]
vunpcklpd ymm2, ymm13, ymm2
vperm2f128 ymm13, ymm1, ymm14, 49
vinsertf128 ymm14, ymm1, xmm14, 1
vmovupd ymmword ptr [r10 + 512], ymm14
vmovupd ymmword ptr [r10 + 768], ymm13
vperm2f128 ymm13, ymm12, ymm11, 49
vinsertf128 ymm11, ymm12, xmm11, 1
vmovupd ymmword ptr [r10 + 640], ymm11
vmovupd ymmword ptr [r10 + 896], ymm13
vperm2f128 ymm13, ymm15, ymm0, 49
vinsertf128 ymm0, ymm15, xmm0, 1
vmovupd ymmword ptr [r10 + 544], ymm0
vmovupd ymmword ptr [r10 + 800], ymm13
vinsertf128 ymm5, ymm10, xmm5, 1
vmovupd ymmword ptr [r10 + 672], ymm5
vmovupd ymmword ptr [r10 + 928], ymm8
vperm2f128 ymm8, ymm6, ymm9, 49
vinsertf128 ymm9, ymm6, xmm9, 1
vmovupd ymmword ptr [r10 + 576], ymm9
vperm2f128 ymm9, ymm7, ymm2, 49
vmovupd ymm6, ymmword ptr [r11 + 0]
vunpckhpd ymm4, ymm6, ymm4
vmovupd ymmword ptr [r10 + 832], ymm8
vperm2f128 ymm8, ymm4, ymm3, 49
vinsertf128 ymm3, ymm4, xmm3, 1
vmovupd ymmword ptr [r10 + 704], ymm3
vmovupd ymmword ptr [r10 + 960], ymm8
vinsertf128 ymm2, ymm7, xmm2, 1
vmovupd ymmword ptr [r10 + 608], ymm2
vmovupd ymmword ptr [r10 + 864], ymm9
vmovupd ymm9, ymmword ptr [r11 + 160]
vmovupd ymm2, ymmword ptr [r11 + 128]
vperm2f128 ymm7, ymm9, ymm2, 49
vinsertf128 ymm2, ymm9, xmm2, 1
vmovupd ymmword ptr [r10 + 736], ymm2
vmovupd ymmword ptr [r10 + 992], ymm7
vmovupd ymm7, ymmword ptr [r9 + 224]
vmovupd ymm2, ymmword ptr [rdx + 96]
vmulpd ymm9, ymm7, ymm2
vmovupd ymm8, ymmword ptr [rdx + 32]
vmovupd ymm3, ymmword ptr [r9 + 160]
vfmsub231pd ymm9, ymm3, ymm8
vmulpd ymm8, ymm7, ymm8
vfmadd231pd ymm8, ymm3, ymm2
vmovupd ymm2, ymmword ptr [r9 + 736]
vmulpd ymm3, ymm2, ymmword ptr [rdx + 608]
vmovupd ymm7, ymmword ptr [r9 + 672]
vfmsub231pd ymm3, ymm7, ymmword ptr [rdx + 544]
vmulpd ymm2, ymm2, ymmword ptr [rdx + 544]
vfmadd231pd ymm2, ymm7, ymmword ptr [rdx + 608]
vmovupd ymm7, ymmword ptr [r9 + 480]
vmulpd ymm4, ymm7, ymmword ptr [rdx + 352]
vmovupd ymm6, ymmword ptr [r9 + 416]
vfmsub231pd ymm4, ymm6, ymmword ptr [rdx + 288]
vmulpd ymm7, ymm7, ymmword ptr [rdx + 288]
vfmadd231pd ymm7, ymm6, ymmword ptr [rdx + 352]
vmovupd ymm6, ymmword ptr [r9 + 992]
vmulpd ymm5, ymm6, ymmword ptr [rdx + 864]
vmovupd ymm10, ymmword ptr [r9 + 928]
vfmsub231pd ymm5, ymm10, ymmword ptr [rdx + 800]
vmulpd ymm6, ymm6, ymmword ptr [rdx + 800]
vfmadd231pd ymm6, ymm10, ymmword ptr [rdx + 864]
vmovupd ymm10, ymmword ptr [r9 + 32]
vmovupd ymm13, ymmword ptr [r9 + 544]
vmovupd ymm0, ymmword ptr [rdx + 416]
vfmadd132pd ymm0, ymm10, ymm13
vmovupd ymm15, ymmword ptr [r9 + 96]
vfmadd132pd ymm13, ymm15, ymmword ptr [rdx + 480]
vmovupd ymm11, ymmword ptr [r9 + 608]
vfmadd231pd ymm13, ymm11, ymmword ptr [rdx + 416]
vfnmadd231pd ymm0, ymm11, ymmword ptr [rdx + 480]
vmovupd ymm11, ymmword ptr [rdx + 160]
vmulpd ymm12, ymm11, ymmword ptr [r9 + 352]
vmovupd ymm14, ymmword ptr [r9 + 288]
vfmsub213pd ymm11, ymm14, ymmword ptr [r11 + 32]
vfmadd231pd ymm12, ymm14, ymmword ptr [rdx + 224]
vmovupd ymm14, ymmword ptr [r9 + 864]
vmulpd ymm1, ymm14, ymmword ptr [rdx + 736]
vmovupd ymm15, ymmword ptr [r9 + 800]
vmovapd ymmword ptr [r11 + 32], ymm13
vmovupd ymm13, ymmword ptr [rdx + 672]
vfmsub231pd ymm1, ymm15, ymm13
vmulpd ymm13, ymm14, ymm13
vfmadd231pd ymm13, ymm15, ymmword ptr [rdx + 736]
vsubpd ymm15, ymm9, ymm3
vsubpd ymm14, ymm8, ymm2
vaddpd ymm2, ymm8, ymm2
vsubpd ymm8, ymm4, ymm5
vaddpd ymm5, ymm4, ymm5
vsubpd ymm4, ymm7, ymm6
vaddpd ymm3, ymm9, ymm3
vaddpd ymm6, ymm7, ymm6
vmovupd ymm7, ymmword ptr [rcx + 0]
vfmsub132pd ymm10, ymm0, ymm7
vsubpd ymm9, ymm11, ymm1
vaddpd ymm1, ymm11, ymm1
vsubpd ymm11, ymm0, ymm1
vmovapd ymmword ptr [r11 + 128], ymm11
vaddpd ymm11, ymm14, ymm8
vsubpd ymm8, ymm14, ymm8
vsubpd ymm14, ymm12, ymm13
vaddpd ymm13, ymm12, ymm13
vsubpd ymm12, ymm15, ymm4
vaddpd ymm4, ymm15, ymm4
vaddpd ymm15, ymm3, ymm5
vsubpd ymm5, ymm3, ymm5
vaddpd ymm3, ymm2, ymm6
vsubpd ymm6, ymm2, ymm6
vaddpd ymm1, ymm0, ymm1
vmovupd ymm0, ymmword ptr [r11 + 32]
vfmsub132pd ymm7, ymm0, ymmword ptr [r9 + 96]
vaddpd ymm2, ymm7, ymm9
vsubpd ymm9, ymm7, ymm9
vsubpd ymm7, ymm10, ymm14
vaddpd ymm14, ymm10, ymm14
vsubpd ymm10, ymm12, ymm11
vaddpd ymm11, ymm12, ymm11
vaddpd ymm12, ymm4, ymm8
vsubpd ymm8, ymm4, ymm8
vaddpd ymm4, ymm0, ymm13
vsubpd ymm13, ymm0, ymm13
vaddpd ymm0, ymm1, ymm15
vsubpd ymm15, ymm1, ymm15
vmovupd ymmword ptr [rdi - 992], ymm0
vmovupd ymmword ptr [rdi - 480], ymm15
vmovupd ymm15, ymmword ptr [r11 + 128]
vaddpd ymm0, ymm15, ymm6
vsubpd ymm6, ymm15, ymm6
vmovupd ymmword ptr [rdi - 736], ymm6
vmovupd ymmword ptr [rdi - 224], ymm0
vmovupd ymm0, ymmword ptr [rcx + 32]
vmovapd ymm6, ymm7
vfmadd231pd ymm6, ymm10, ymm0
vfnmadd231pd ymm7, ymm10, ymm0
vmovupd ymmword ptr [rdi - 352], ymm7
vmovupd ymmword ptr [rdi - 864], ymm6
vmovapd ymm6, ymm2
vfmadd231pd ymm6, ymm11, ymm0
vfnmadd231pd ymm2, ymm11, ymm0
vmovupd ymmword ptr [rdi - 800], ymm6
vmovupd ymmword ptr [rdi - 288], ymm2
vmovupd ymm2, ymmword ptr [rcx + 32]
vmovapd ymm6, ymm14
vfnmadd231pd ymm6, ymm12, ymm2
vfmadd231pd ymm14, ymm12, ymm2
vmovupd ymmword ptr [rdi - 96], ymm14
vmovapd ymm14, ymm9
vfmadd231pd ymm14, ymm8, ymm2
vfnmadd231pd ymm9, ymm8, ymm2
vmovupd ymmword ptr [rdi - 544], ymm14
vmovupd ymmword ptr [rdi - 32], ymm9
vaddpd ymm9, ymm4, ymm3
vsubpd ymm3, ymm4, ymm3
vmovupd ymmword ptr [rdi - 416], ymm3
vmovupd ymmword ptr [rdi - 928], ymm9
vaddpd ymm9, ymm13, ymm5
vsubpd ymm5, ymm13, ymm5
vmovupd ymmword ptr [rdi - 672], ymm9
vmovupd ymmword ptr [rdi - 160], ymm5
vmovupd ymmword ptr [rdi - 608], ymm6
add rsi, 112
add rdx, 896
add rdi, 1024
xchg r9, r10
dec r8
jnz 2b
3:
vmovupd ymm0, ymmword ptr [r9 + 640]
vmovupd ymm1, ymmword ptr [rdx + 832]
vmovupd ymm2, ymmword ptr [r9 + 192]
vmulpd ymm3, ymm2, ymmword ptr [rdx + 64]
vmovupd ymm4, ymmword ptr [r9 + 128]
vmovupd ymm5, ymmword ptr [rdx + 0]
vfmsub231pd ymm3, ymm4, ymm5
vmulpd ymm5, ymm2, ymm5
vfmadd231pd ymm5, ymm4, ymmword ptr [rdx + 64]
vmovupd ymm4, ymmword ptr [r9 + 704]
vmulpd ymm2, ymm4, ymmword ptr [rdx + 576]
vfmsub231pd ymm2, ymm0, ymmword ptr [rdx + 512]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 512]
vmovupd ymm6, ymmword ptr [r9 + 576]
vfmadd231pd ymm4, ymm0, ymmword ptr [rdx + 576]
vmovupd ymm0, ymmword ptr [r9 + 448]
vmulpd ymm7, ymm0, ymmword ptr [rdx + 320]
vmovupd ymm8, ymmword ptr [r9 + 384]
vfmsub231pd ymm7, ymm8, ymmword ptr [rdx + 256]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 256]
vfmadd231pd ymm0, ymm8, ymmword ptr [rdx + 320]
vmovupd ymm8, ymmword ptr [r9 + 960]
vmulpd ymm9, ymm8, ymmword ptr [rdx + 768]
vmulpd ymm8, ymm8, ymm1
vmovupd ymm10, ymmword ptr [r9 + 896]
vfmsub231pd ymm8, ymm10, ymmword ptr [rdx + 768]
vfmadd231pd ymm9, ymm10, ymm1
vmovupd ymm1, ymmword ptr [r9 + 0]
vmovupd ymm10, ymmword ptr [r9 + 512]
vmovupd ymm11, ymmword ptr [rdx + 384]
vfmadd132pd ymm11, ymm1, ymm10
vmovupd ymm12, ymmword ptr [r9 + 64]
vfmadd132pd ymm10, ymm12, ymmword ptr [rdx + 448]
vfnmadd231pd ymm11, ymm6, ymmword ptr [rdx + 448]
vfmadd231pd ymm10, ymm6, ymmword ptr [rdx + 384]
vmovupd ymm6, ymmword ptr [r9 + 320]
vmulpd ymm13, ymm6, ymmword ptr [rdx + 192]
vmovupd ymm14, ymmword ptr [r9 + 256]
vfmsub231pd ymm13, ymm14, ymmword ptr [rdx + 128]
vmulpd ymm6, ymm6, ymmword ptr [rdx + 128]
vfmadd231pd ymm6, ymm14, ymmword ptr [rdx + 192]
vmovupd ymm14, ymmword ptr [r9 + 832]
vmulpd ymm15, ymm14, ymmword ptr [rdx + 704]
vmovupd ymm12, ymmword ptr [r9 + 768]
vfmsub231pd ymm15, ymm12, ymmword ptr [rdx + 640]
vmulpd ymm14, ymm14, ymmword ptr [rdx + 640]
vfmadd231pd ymm14, ymm12, ymmword ptr [rdx + 704]
vsubpd ymm12, ymm6, ymm14
vmovapd ymmword ptr [r11 + 0], ymm12
vsubpd ymm12, ymm3, ymm2
vaddpd ymm2, ymm3, ymm2
vsubpd ymm3, ymm5, ymm4
vaddpd ymm4, ymm5, ymm4
vsubpd ymm5, ymm7, ymm8
vaddpd ymm8, ymm7, ymm8
vsubpd ymm7, ymm0, ymm9
vaddpd ymm9, ymm0, ymm9
vaddpd ymm0, ymm4, ymm9
vmovapd ymmword ptr [r11 + 32], ymm0
vmovupd ymm0, ymmword ptr [rcx + 0]
vfmsub132pd ymm1, ymm11, ymm0
vfmsub132pd ymm0, ymm10, ymmword ptr [r9 + 64]
vmovapd ymmword ptr [r11 + 64], ymm10
vsubpd ymm10, ymm13, ymm15
vaddpd ymm15, ymm13, ymm15
vaddpd ymm13, ymm3, ymm5
vsubpd ymm5, ymm3, ymm5
vaddpd ymm14, ymm6, ymm14
vsubpd ymm6, ymm12, ymm7
vaddpd ymm7, ymm12, ymm7
vaddpd ymm12, ymm2, ymm8
vsubpd ymm8, ymm2, ymm8
vsubpd ymm9, ymm4, ymm9
vaddpd ymm4, ymm11, ymm15
vsubpd ymm15, ymm11, ymm15
vsubpd ymm11, ymm15, ymm9
vaddpd ymm2, ymm0, ymm10
vsubpd ymm10, ymm0, ymm10
vmovupd ymm0, ymmword ptr [r11 + 0]
vsubpd ymm3, ymm1, ymm0
vaddpd ymm0, ymm1, ymm0
vsubpd ymm1, ymm6, ymm13
vaddpd ymm13, ymm6, ymm13
vaddpd ymm6, ymm7, ymm5
vsubpd ymm5, ymm7, ymm5
vmovupd ymm7, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 0], ymm11
vaddpd ymm11, ymm7, ymm14
vsubpd ymm14, ymm7, ymm14
vsubpd ymm7, ymm4, ymm12
vaddpd ymm12, ymm4, ymm12
vmovupd ymmword ptr [rdi - 1024], ymm12
vmovupd ymmword ptr [rdi - 512], ymm7
vaddpd ymm9, ymm15, ymm9
vmovupd ymmword ptr [rdi - 256], ymm9
vmovupd ymm9, ymmword ptr [rcx + 32]
vmovapd ymm15, ymm2
vfmadd231pd ymm15, ymm13, ymm9
vfnmadd231pd ymm2, ymm13, ymm9
vmovapd ymm13, ymm3
vfmadd231pd ymm13, ymm1, ymm9
vfnmadd231pd ymm3, ymm1, ymm9
vmovupd ymmword ptr [rdi - 896], ymm13
vmovupd ymmword ptr [rdi - 384], ymm3
vmovupd ymmword ptr [rdi - 832], ymm15
vmovupd ymm15, ymmword ptr [rcx + 32]
vmovapd ymm3, ymm0
vfnmadd231pd ymm3, ymm6, ymm15
vfmadd231pd ymm0, ymm6, ymm15
vmovupd ymmword ptr [rdi - 640], ymm3
vmovapd ymm3, ymm10
vfmadd231pd ymm3, ymm5, ymm15
vfnmadd231pd ymm10, ymm5, ymm15
vmovupd ymmword ptr [rdi - 576], ymm3
vmovupd ymm3, ymmword ptr [r11 + 32]
vsubpd ymm15, ymm11, ymm3
vmovupd ymmword ptr [rdi - 128], ymm0
vmovupd ymmword ptr [rdi - 64], ymm10
vaddpd ymm3, ymm11, ymm3
vmovupd ymmword ptr [rdi - 960], ymm3
vmovupd ymmword ptr [rdi - 448], ymm15
vaddpd ymm15, ymm14, ymm8
vsubpd ymm8, ymm14, ymm8
vmovupd ymmword ptr [rdi - 704], ymm15
vmovupd ymmword ptr [rdi - 192], ymm8
vmovupd ymmword ptr [rdi - 320], ymm2
vmovupd ymm2, ymmword ptr [r11 + 0]
vmovupd ymmword ptr [rdi - 768], ymm2
vmovupd ymm2, ymmword ptr [rdx + 672]
vmovupd ymm8, ymmword ptr [rdx + 224]
vmulpd ymm15, ymm8, ymmword ptr [r9 + 352]
vmovupd ymm14, ymmword ptr [r9 + 224]
vmovupd ymm3, ymmword ptr [rdx + 96]
vmulpd ymm11, ymm14, ymm3
vmovupd ymm10, ymmword ptr [rdx + 32]
vmovupd ymm0, ymmword ptr [r9 + 160]
vfmsub231pd ymm11, ymm0, ymm10
vmulpd ymm10, ymm14, ymm10
vfmadd231pd ymm10, ymm0, ymm3
vmovupd ymm3, ymmword ptr [r9 + 736]
vmulpd ymm0, ymm3, ymmword ptr [rdx + 608]
vmovupd ymm14, ymmword ptr [r9 + 672]
vfmsub231pd ymm0, ymm14, ymmword ptr [rdx + 544]
vmulpd ymm3, ymm3, ymmword ptr [rdx + 544]
vfmadd231pd ymm3, ymm14, ymmword ptr [rdx + 608]
vmovupd ymm14, ymmword ptr [r9 + 480]
vmulpd ymm5, ymm14, ymmword ptr [rdx + 352]
vmovupd ymm6, ymmword ptr [r9 + 416]
vfmsub231pd ymm5, ymm6, ymmword ptr [rdx + 288]
vmulpd ymm14, ymm14, ymmword ptr [rdx + 288]
vfmadd231pd ymm14, ymm6, ymmword ptr [rdx + 352]
vmovupd ymm6, ymmword ptr [r9 + 992]
vmulpd ymm13, ymm6, ymmword ptr [rdx + 864]
vmovupd ymm9, ymmword ptr [r9 + 928]
vfmsub231pd ymm13, ymm9, ymmword ptr [rdx + 800]
vmulpd ymm6, ymm6, ymmword ptr [rdx + 800]
vfmadd231pd ymm6, ymm9, ymmword ptr [rdx + 864]
vmovupd ymm9, ymmword ptr [r9 + 32]
vmovupd ymm1, ymmword ptr [r9 + 544]
vmovupd ymm7, ymmword ptr [rdx + 416]
vfmadd132pd ymm7, ymm9, ymm1
vmovupd ymm12, ymmword ptr [r9 + 96]
vfmadd132pd ymm1, ymm12, ymmword ptr [rdx + 480]
vmovupd ymm4, ymmword ptr [r9 + 608]
vfmadd231pd ymm1, ymm4, ymmword ptr [rdx + 416]
vfnmadd231pd ymm7, ymm4, ymmword ptr [rdx + 480]
vmovupd ymm4, ymmword ptr [rdx + 160]
vmulpd ymm12, ymm4, ymmword ptr [r9 + 352]
vmovupd ymm9, ymmword ptr [r9 + 288]
vfmsub231pd ymm15, ymm9, ymm4
vfmadd231pd ymm12, ymm9, ymm8
vmovupd ymm8, ymmword ptr [r9 + 864]
vmulpd ymm9, ymm8, ymmword ptr [rdx + 736]
vmovupd ymm4, ymmword ptr [r9 + 800]
vfmsub231pd ymm9, ymm4, ymm2
vmulpd ymm2, ymm8, ymm2
vfmadd231pd ymm2, ymm4, ymmword ptr [rdx + 736]
vsubpd ymm4, ymm11, ymm0
vsubpd ymm8, ymm10, ymm3
vaddpd ymm3, ymm10, ymm3
vsubpd ymm10, ymm5, ymm13
vaddpd ymm13, ymm5, ymm13
vsubpd ymm5, ymm14, ymm6
vaddpd ymm0, ymm11, ymm0
vaddpd ymm6, ymm14, ymm6
vmovupd ymm14, ymmword ptr [rcx + 0]
vmovupd ymm11, ymmword ptr [r9 + 32]
vfmsub132pd ymm11, ymm7, ymm14
vsubpd ymm14, ymm15, ymm9
vaddpd ymm9, ymm15, ymm9
vsubpd ymm15, ymm7, ymm9
vmovapd ymmword ptr [r11 + 0], ymm15
vaddpd ymm15, ymm8, ymm10
vsubpd ymm10, ymm8, ymm10
vsubpd ymm8, ymm12, ymm2
vaddpd ymm2, ymm12, ymm2
vsubpd ymm12, ymm4, ymm5
vaddpd ymm5, ymm4, ymm5
vaddpd ymm4, ymm0, ymm13
vsubpd ymm13, ymm0, ymm13
vaddpd ymm0, ymm3, ymm6
vsubpd ymm6, ymm3, ymm6
vaddpd ymm9, ymm7, ymm9
vmovupd ymm7, ymmword ptr [rcx + 0]
vfmsub132pd ymm7, ymm1, ymmword ptr [r9 + 96]
vaddpd ymm3, ymm7, ymm14
vsubpd ymm14, ymm7, ymm14
vsubpd ymm7, ymm11, ymm8
vaddpd ymm8, ymm11, ymm8
vsubpd ymm11, ymm12, ymm15
vaddpd ymm15, ymm12, ymm15
vaddpd ymm12, ymm5, ymm10
vsubpd ymm10, ymm5, ymm10
vaddpd ymm5, ymm1, ymm2
vsubpd ymm2, ymm1, ymm2
vaddpd ymm1, ymm9, ymm4
vsubpd ymm4, ymm9, ymm4
vmovupd ymmword ptr [rdi - 992], ymm1
vmovupd ymmword ptr [rdi - 480], ymm4
vmovupd ymm4, ymmword ptr [r11 + 0]
vaddpd ymm1, ymm4, ymm6
vsubpd ymm6, ymm4, ymm6
vmovupd ymmword ptr [rdi - 736], ymm6
vmovupd ymmword ptr [rdi - 224], ymm1
vmovupd ymm1, ymmword ptr [rcx + 32]
vmovapd ymm6, ymm7
vfmadd231pd ymm6, ymm11, ymm1
vfnmadd231pd ymm7, ymm11, ymm1
vmovupd ymmword ptr [rdi - 352], ymm7
vmovupd ymmword ptr [rdi - 864], ymm6
vmovapd ymm6, ymm3
vfmadd231pd ymm6, ymm15, ymm1
vfnmadd231pd ymm3, ymm15, ymm1
vmovupd ymmword ptr [rdi - 800], ymm6
vmovupd ymmword ptr [rdi - 288], ymm3
vmovupd ymm3, ymmword ptr [rcx + 32]
vmovapd ymm6, ymm8
vfnmadd231pd ymm6, ymm12, ymm3
vfmadd231pd ymm8, ymm12, ymm3
vmovupd ymmword ptr [rdi - 96], ymm8
vmovapd ymm8, ymm14
vfmadd231pd ymm8, ymm10, ymm3
vfnmadd231pd ymm14, ymm10, ymm3
vmovupd ymmword ptr [rdi - 544], ymm8
vmovupd ymmword ptr [rdi - 32], ymm14
vaddpd ymm14, ymm5, ymm0
vsubpd ymm0, ymm5, ymm0
vmovupd ymmword ptr [rdi - 416], ymm0
vmovupd ymmword ptr [rdi - 928], ymm14
vaddpd ymm14, ymm2, ymm13
vsubpd ymm13, ymm2, ymm13
vmovupd ymmword ptr [rdi - 672], ymm14
vmovupd ymmword ptr [rdi - 160], ymm13
vmovupd ymmword ptr [rdi - 608], ymm6
# order 328 390 55 321 369 320 367 370 371 372 329 375 376 377 327 378 325 385 324 386 387 388 333 393 391 332 392 394 318 326 336 319 338 337 339 323 345 322 346 347 348 331 351 330 352 353 354 358 381 379 382 380 397 395 398 396 400 340 341 342 357 355 404 406 356 403 405 399 401 402 359 361 411 364 366 363 365 416 417 423 424 360 362 409 407 429 437 413 441 415 419 421 418 420 431 439 432 422 425 427 435 426 428 436 410 443 444 408 430 438 412 414 434 442 50 2 49 51 52 53 54 11 56 57 10 58 59 60 7 66 67 6 65 68 69 440 70 15 72 73 14 71 74 433 75 76 0 8 16 18 1 17 20 9 19 21 5 26 27 4 25 28 29 32 33 12 31 34 190 35 78 36 61 64 63 62 79 77 80 22 24 39 37 86 88 30 40 38 85 87 81 83 82 23 84 162 209 210 161 208 211 41 43 46 48 45 47 98 99 105 106 42 44 212 213 170 215 216 169 214 217 89 91 93 95 97 100 102 101 103 104 110 107 109 108 90 92 94 96 111 112 123 124 135 136 147 148 113 114 125 126 137 138 149 150 115 119 117 118 116 120 122 129 127 131 133 130 128 132 134 141 145 139 142 140 153 143 144 146 151 155 157 154 152 156 158 121 218 219 166 225 226 165 224 227 228 476 229 174 231 232 472 173 230 233 234 235 167 159 175 177 160 176 179 168 178 180 164 185 186 163 184 187 188 189 172 191 192 171 193 194 195 222 220 223 221 238 236 239 237 181 183 198 196 245 247 199 197 244 246 240 242 241 243 200 202 182 205 257 207 204 206 258 264 265 201 203 248 250 252 254 256 259 261 260 262 263 266 268 267 269 309 249 251 253 255 270 271 282 283 294 306 307 272 273 284 285 296 297 289 308 276 274 278 280 277 275 279 281 288 286 290 292 287 291 293 300 298 302 312 295 304 301 299 303 305 310 314 316 313 311 315 317 448 495 496 494 447 497 498 499 456 502 455 503 504 505 452 512 451 513 514 515 460 518 459 519 520 521 445 453 463 446 465 454 466 464 474 449 473 475 458 478 457 479 480 481 508 509 507 524 522 525 506 523 467 468 484 482 488 531 533 485 483 530 532 526 528 527 529 486 469 491 493 490 492 543 544 550 551 487 489 534 536 556 564 540 538 560 568 542 545 547 566 558 546 548 559 567 549 552 554 570 553 555 563 571 535 537 565 557 539 541 561 569 562
