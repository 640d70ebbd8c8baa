lea r10, [r9 + 1024]
lea r11, [r9 + 2048]
vmovupd ymm0, ymmword ptr [rdi + 192]
vmovupd ymm1, ymmword ptr [rdi + 128]
vmovupd ymm2, ymmword ptr [rdi + 0]
vmovupd ymm3, ymmword ptr [rdi + 448]
vmovupd ymm4, ymmword ptr [rdi + 704]
vmovupd ymm5, ymmword ptr [rdi + 640]
vmovupd ymm6, ymmword ptr [rdi + 384]
vmovupd ymm7, ymmword ptr [rdi + 320]
vmovupd ymm8, ymmword ptr [rdi + 512]
vmovupd ymm9, ymmword ptr [rdi + 960]
vmovupd ymm10, ymmword ptr [rdi + 896]
vmovupd ymm11, ymmword ptr [rdi + 832]
vmovupd ymm12, ymmword ptr [rdi + 256]
vmovupd ymm13, ymmword ptr [rdi + 768]
vsubpd ymm14, ymm0, ymm4
vsubpd ymm15, ymm1, ymm5
vsubpd ymm1, ymm3, ymm9
vsubpd ymm3, ymm6, ymm10
vsubpd ymm6, ymm2, ymm8
vsubpd ymm10, ymm7, ymm11
vaddpd ymm8, ymm2, ymm8
vaddpd ymm2, ymm12, ymm13
vmovupd ymm7, ymmword ptr [rdi + 64]
vmovupd ymm11, ymmword ptr [rdi + 576]
vaddpd ymm4, ymm0, ymm4
vaddpd ymm5, ymm5, ymmword ptr [rdi + 128]
vaddpd ymm9, ymm9, ymmword ptr [rdi + 448]
vaddpd ymm0, ymm15, ymm1
vsubpd ymm1, ymm15, ymm1
vsubpd ymm15, ymm14, ymm3
vaddpd ymm3, ymm14, ymm3
vmovupd ymm14, ymmword ptr [rdi + 896]
vaddpd ymm14, ymm14, ymmword ptr [rdi + 384]
vmovapd ymmword ptr [r11 + 0], ymm4
vsubpd ymm4, ymm7, ymm11
vsubpd ymm13, ymm12, ymm13
vaddpd ymm12, ymm6, ymm10
vsubpd ymm10, ymm6, ymm10
vaddpd ymm11, ymm7, ymm11
vmovupd ymm7, ymmword ptr [rdi + 832]
vaddpd ymm7, ymm7, ymmword ptr [rdi + 320]
vaddpd ymm6, ymm15, ymm0
vsubpd ymm0, ymm15, ymm0
vsubpd ymm15, ymm3, ymm1
vaddpd ymm1, ymm3, ymm1
vaddpd ymm3, ymm8, ymm2
vsubpd ymm2, ymm8, ymm2
vaddpd ymm8, ymm5, ymm14
vsubpd ymm14, ymm5, ymm14
vmovupd ymm5, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm14
vsubpd ymm14, ymm5, ymm9
vaddpd ymm9, ymm5, ymm9
vsubpd ymm5, ymm4, ymm13
vaddpd ymm13, ymm4, ymm13
vmovupd ymm4, ymmword ptr [rcx + 32]
vfmadd132pd ymm4, ymm12, ymm6
vfnmadd231pd ymm12, ymm6, ymmword ptr [rcx + 32]
vmovupd ymm6, ymmword ptr [rcx + 32]
vfmadd132pd ymm6, ymm10, ymm15
vfnmadd231pd ymm10, ymm15, ymmword ptr [rcx + 32]
vaddpd ymm15, ymm11, ymm7
vsubpd ymm7, ymm11, ymm7
vsubpd ymm11, ymm3, ymm8
vaddpd ymm8, ymm3, ymm8
vaddpd ymm3, ymm2, ymm14
vsubpd ymm14, ymm2, ymm14
vmovupd ymm2, ymmword ptr [rcx + 32]
vfmadd132pd ymm2, ymm5, ymm0
vfnmadd231pd ymm5, ymm0, ymmword ptr [rcx + 32]
vmovupd ymm0, ymmword ptr [rcx + 32]
vfnmadd132pd ymm0, ymm13, ymm1
vfmadd231pd ymm13, ymm1, ymmword ptr [rcx + 32]
vmulpd ymm1, ymm4, ymmword ptr [rdx + 64]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 0]
vfmsub231pd ymm1, ymm2, ymmword ptr [rdx + 0]
vfmadd231pd ymm4, ymm2, ymmword ptr [rdx + 64]
vsubpd ymm2, ymm15, ymm9
vaddpd ymm9, ymm15, ymm9
vmovupd ymm15, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm8
vsubpd ymm8, ymm7, ymm15
vaddpd ymm15, ymm7, ymm15
vmulpd ymm7, ymm3, ymmword ptr [rdx + 192]
vmulpd ymm3, ymm3, ymmword ptr [rdx + 128]
vfmsub231pd ymm7, ymm8, ymmword ptr [rdx + 128]
vfmadd231pd ymm3, ymm8, ymmword ptr [rdx + 192]
vmulpd ymm8, ymm6, ymmword ptr [rdx + 320]
vmulpd ymm6, ymm6, ymmword ptr [rdx + 256]
vfmsub231pd ymm8, ymm0, ymmword ptr [rdx + 256]
vfmadd231pd ymm6, ymm0, ymmword ptr [rdx + 320]
vmulpd ymm0, ymm11, ymmword ptr [rdx + 448]
vmulpd ymm11, ymm11, ymmword ptr [rdx + 384]
vfmsub231pd ymm0, ymm2, ymmword ptr [rdx + 384]
vfmadd231pd ymm11, ymm2, ymmword ptr [rdx + 448]
vmulpd ymm2, ymm12, ymmword ptr [rdx + 576]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 512]
vfmsub231pd ymm2, ymm5, ymmword ptr [rdx + 512]
vfmadd231pd ymm12, ymm5, ymmword ptr [rdx + 576]
vmulpd ymm5, ymm14, ymmword ptr [rdx + 704]
vmulpd ymm14, ymm14, ymmword ptr [rdx + 640]
vfmsub231pd ymm5, ymm15, ymmword ptr [rdx + 640]
vfmadd231pd ymm14, ymm15, ymmword ptr [rdx + 704]
vmulpd ymm15, ymm10, ymmword ptr [rdx + 832]
vmulpd ymm10, ymm10, ymmword ptr [rdx + 768]
vfmsub231pd ymm15, ymm13, ymmword ptr [rdx + 768]
vfmadd231pd ymm10, ymm13, ymmword ptr [rdx + 832]
vunpcklpd ymm13, ymm9, ymm1
vunpckhpd ymm1, ymm9, ymm1
vmovupd ymm9, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm14
vunpcklpd ymm14, ymm9, ymm4
vunpckhpd ymm4, ymm9, ymm4
vunpcklpd ymm9, ymm7, ymm8
vunpckhpd ymm8, ymm7, ymm8
vunpcklpd ymm7, ymm3, ymm6
vunpckhpd ymm6, ymm3, ymm6
vperm2f128 ymm3, ymm13, ymm9, 49
vinsertf128 ymm9, ymm13, xmm9, 1
vmovupd ymmword ptr [r10 + 0], ymm9
vmovupd ymmword ptr [r10 + 128], ymm3
vunpcklpd ymm3, ymm0, ymm2
vunpckhpd ymm2, ymm0, ymm2
vunpcklpd ymm0, ymm11, ymm12
vunpckhpd ymm12, ymm11, ymm12
vperm2f128 ymm11, ymm1, ymm8, 49
vinsertf128 ymm8, ymm1, xmm8, 1
vmovupd ymmword ptr [r10 + 512], ymm8
vmovupd ymmword ptr [r10 + 640], ymm11
vunpcklpd ymm11, ymm5, ymm15
vunpckhpd ymm15, ymm5, ymm15
vmovupd ymm5, ymmword ptr [r11 + 32]
vunpcklpd ymm8, ymm5, ymm10
vunpckhpd ymm10, ymm5, ymm10
vperm2f128 ymm5, ymm3, ymm11, 49
vinsertf128 ymm11, ymm3, xmm11, 1
vmovupd ymmword ptr [r10 + 32], ymm11
vmovupd ymmword ptr [r10 + 160], ymm5
vperm2f128 ymm5, ymm2, ymm15, 49
vinsertf128 ymm15, ymm2, xmm15, 1
vmovupd ymmword ptr [r10 + 544], ymm15
vmovupd ymmword ptr [r10 + 672], ymm5
vperm2f128 ymm5, ymm14, ymm7, 49
vinsertf128 ymm7, ymm14, xmm7, 1
vmovupd ymmword ptr [r10 + 64], ymm7
vmovupd ymmword ptr [r10 + 192], ymm5
vperm2f128 ymm5, ymm4, ymm6, 49
vinsertf128 ymm6, ymm4, xmm6, 1
vmovupd ymmword ptr [r10 + 576], ymm6
vmovupd ymmword ptr [r10 + 704], ymm5
vperm2f128 ymm5, ymm0, ymm8, 49
vmovupd ymm6, ymmword ptr [rdi + 224]
vinsertf128 ymm8, ymm0, xmm8, 1
vmovupd ymm0, ymmword ptr [rdi + 160]
vmovupd ymmword ptr [r10 + 96], ymm8
vmovupd ymmword ptr [r10 + 224], ymm5
vmovupd ymm5, ymmword ptr [rdi + 32]
vmovupd ymm8, ymmword ptr [rdi + 480]
vmovupd ymm4, ymmword ptr [rdi + 736]
vperm2f128 ymm7, ymm12, ymm10, 49
vmovupd ymm14, ymmword ptr [rdi + 672]
vmovupd ymm15, ymmword ptr [rdi + 416]
vmovupd ymm2, ymmword ptr [rdi + 352]
vmovupd ymm11, ymmword ptr [rdi + 544]
vmovupd ymm3, ymmword ptr [rdi + 992]
vinsertf128 ymm10, ymm12, xmm10, 1
vmovupd ymm12, ymmword ptr [rdi + 928]
vmovupd ymm1, ymmword ptr [rdi + 864]
vmovupd ymmword ptr [r10 + 608], ymm10
vmovupd ymm10, ymmword ptr [rdi + 288]
vmovupd ymm9, ymmword ptr [rdi + 800]
vmovupd ymmword ptr [r10 + 736], ymm7
vsubpd ymm7, ymm6, ymm4
vsubpd ymm13, ymm0, ymm14
vsubpd ymm0, ymm8, ymm3
vsubpd ymm8, ymm15, ymm12
vsubpd ymm15, ymm5, ymm11
vsubpd ymm12, ymm2, ymm1
vaddpd ymm11, ymm5, ymm11
vaddpd ymm5, ymm10, ymm9
vmovupd ymm2, ymmword ptr [rdi + 96]
vmovupd ymm1, ymmword ptr [rdi + 608]
vaddpd ymm4, ymm6, ymm4
vaddpd ymm14, ymm14, ymmword ptr [rdi + 160]
vaddpd ymm3, ymm3, ymmword ptr [rdi + 480]
vaddpd ymm6, ymm13, ymm0
vsubpd ymm0, ymm13, ymm0
vsubpd ymm13, ymm7, ymm8
vaddpd ymm8, ymm7, ymm8
vmovupd ymm7, ymmword ptr [rdi + 928]
vaddpd ymm7, ymm7, ymmword ptr [rdi + 416]
vmovapd ymmword ptr [r11 + 32], ymm4
vsubpd ymm4, ymm2, ymm1
vsubpd ymm9, ymm10, ymm9
vaddpd ymm10, ymm15, ymm12
vsubpd ymm12, ymm15, ymm12
vaddpd ymm1, ymm2, ymm1
vmovupd ymm2, ymmword ptr [rdi + 864]
vaddpd ymm2, ymm2, ymmword ptr [rdi + 352]
vaddpd ymm15, ymm13, ymm6
vsubpd ymm6, ymm13, ymm6
vsubpd ymm13, ymm8, ymm0
vaddpd ymm0, ymm8, ymm0
vaddpd ymm8, ymm11, ymm5
vsubpd ymm5, ymm11, ymm5
vaddpd ymm11, ymm14, ymm7
vsubpd ymm7, ymm14, ymm7
vmovupd ymm14, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm7
vsubpd ymm7, ymm14, ymm3
vaddpd ymm3, ymm14, ymm3
vsubpd ymm14, ymm4, ymm9
vaddpd ymm9, ymm4, ymm9
vmovupd ymm4, ymmword ptr [rcx + 32]
vfmadd132pd ymm4, ymm10, ymm15
vfnmadd231pd ymm10, ymm15, ymmword ptr [rcx + 32]
vmovupd ymm15, ymmword ptr [rcx + 32]
vfmadd132pd ymm15, ymm12, ymm13
vfnmadd231pd ymm12, ymm13, ymmword ptr [rcx + 32]
vaddpd ymm13, ymm1, ymm2
vsubpd ymm2, ymm1, ymm2
vsubpd ymm1, ymm8, ymm11
vaddpd ymm11, ymm8, ymm11
vaddpd ymm8, ymm5, ymm7
vsubpd ymm7, ymm5, ymm7
vmovupd ymm5, ymmword ptr [rcx + 32]
vfmadd132pd ymm5, ymm14, ymm6
vfnmadd231pd ymm14, ymm6, ymmword ptr [rcx + 32]
vmovupd ymm6, ymmword ptr [rcx + 32]
vfnmadd132pd ymm6, ymm9, ymm0
vfmadd231pd ymm9, ymm0, ymmword ptr [rcx + 32]
vmulpd ymm0, ymm4, ymmword ptr [rdx + 96]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 32]
vfmsub231pd ymm0, ymm5, ymmword ptr [rdx + 32]
vfmadd231pd ymm4, ymm5, ymmword ptr [rdx + 96]
vsubpd ymm5, ymm13, ymm3
vaddpd ymm3, ymm13, ymm3
vmovupd ymm13, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm11
vsubpd ymm11, ymm2, ymm13
vaddpd ymm13, ymm2, ymm13
vmulpd ymm2, ymm8, ymmword ptr [rdx + 224]
vmulpd ymm8, ymm8, ymmword ptr [rdx + 160]
vfmsub231pd ymm2, ymm11, ymmword ptr [rdx + 160]
vfmadd231pd ymm8, ymm11, ymmword ptr [rdx + 224]
vmulpd ymm11, ymm15, ymmword ptr [rdx + 352]
vmulpd ymm15, ymm15, ymmword ptr [rdx + 288]
vfmsub231pd ymm11, ymm6, ymmword ptr [rdx + 288]
vfmadd231pd ymm15, ymm6, ymmword ptr [rdx + 352]
vmulpd ymm6, ymm1, ymmword ptr [rdx + 480]
vmulpd ymm1, ymm1, ymmword ptr [rdx + 416]
vfmsub231pd ymm6, ymm5, ymmword ptr [rdx + 416]
vfmadd231pd ymm1, ymm5, ymmword ptr [rdx + 480]
vmulpd ymm5, ymm10, ymmword ptr [rdx + 608]
vmulpd ymm10, ymm10, ymmword ptr [rdx + 544]
vfmsub231pd ymm5, ymm14, ymmword ptr [rdx + 544]
vfmadd231pd ymm10, ymm14, ymmword ptr [rdx + 608]
vmulpd ymm14, ymm7, ymmword ptr [rdx + 736]
vmulpd ymm7, ymm7, ymmword ptr [rdx + 672]
vfmsub231pd ymm14, ymm13, ymmword ptr [rdx + 672]
vfmadd231pd ymm7, ymm13, ymmword ptr [rdx + 736]
vmulpd ymm13, ymm12, ymmword ptr [rdx + 864]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 800]
vfmsub231pd ymm13, ymm9, ymmword ptr [rdx + 800]
vfmadd231pd ymm12, ymm9, ymmword ptr [rdx + 864]
vunpcklpd ymm9, ymm3, ymm0
vunpckhpd ymm0, ymm3, ymm0
vmovupd ymm3, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm7
vunpcklpd ymm7, ymm3, ymm4
vunpckhpd ymm4, ymm3, ymm4
vunpcklpd ymm3, ymm2, ymm11
vunpckhpd ymm11, ymm2, ymm11
vunpcklpd ymm2, ymm8, ymm15
vunpckhpd ymm15, ymm8, ymm15
vperm2f128 ymm8, ymm9, ymm3, 49
vinsertf128 ymm3, ymm9, xmm3, 1
vmovupd ymmword ptr [r10 + 256], ymm3
vmovupd ymmword ptr [r10 + 384], ymm8
vunpcklpd ymm8, ymm6, ymm5
vunpckhpd ymm5, ymm6, ymm5
vunpcklpd ymm6, ymm1, ymm10
vunpckhpd ymm10, ymm1, ymm10
vperm2f128 ymm1, ymm0, ymm11, 49
vinsertf128 ymm11, ymm0, xmm11, 1
vmovupd ymmword ptr [r10 + 768], ymm11
vmovupd ymmword ptr [r10 + 896], ymm1
vunpcklpd ymm1, ymm14, ymm13
vunpckhpd ymm13, ymm14, ymm13
vmovupd ymm14, ymmword ptr [r11 + 0]
vunpcklpd ymm11, ymm14, ymm12
vunpckhpd ymm12, ymm14, ymm12
vperm2f128 ymm14, ymm8, ymm1, 49
vinsertf128 ymm1, ymm8, xmm1, 1
vmovupd ymmword ptr [r10 + 288], ymm1
vmovupd ymmword ptr [r10 + 416], ymm14
vperm2f128 ymm14, ymm5, ymm13, 49
vinsertf128 ymm13, ymm5, xmm13, 1
vmovupd ymmword ptr [r10 + 800], ymm13
vmovupd ymmword ptr [r10 + 928], ymm14
vperm2f128 ymm14, ymm7, ymm2, 49
vinsertf128 ymm2, ymm7, xmm2, 1
vmovupd ymmword ptr [r10 + 320], ymm2
vmovupd ymmword ptr [r10 + 448], ymm14
vperm2f128 ymm14, ymm4, ymm15, 49
vinsertf128 ymm15, ymm4, xmm15, 1
vmovupd ymmword ptr [r10 + 832], ymm15
vmovupd ymmword ptr [r10 + 960], ymm14
vperm2f128 ymm14, ymm6, ymm11, 49
vinsertf128 ymm11, ymm6, xmm11, 1
vmovupd ymmword ptr [r10 + 352], ymm11
vmovupd ymmword ptr [r10 + 480], ymm14
vperm2f128 ymm14, ymm10, ymm12, 49
vinsertf128 ymm12, ymm10, xmm12, 1
vmovupd ymmword ptr [r10 + 864], ymm12
vmovupd ymmword ptr [r10 + 992], ymm14
add rdx, 896
add rdi, 1024
xchg r9, r10
dec r8
jz 3f
2:
vmovupd ymm0, ymmword ptr [r9 + 640]
vmovupd ymm1, ymmword ptr [r9 + 384]
vmovupd ymm2, ymmword ptr [r9 + 704]
vmovupd ymm3, ymmword ptr [r9 + 448]
vmovupd ymm4, ymmword ptr [r9 + 256]
vmovupd ymm5, ymmword ptr [r9 + 576]
vmovupd ymm6, ymmword ptr [r9 + 896]
vmovupd ymm7, ymmword ptr [r9 + 192]
vmovupd ymm8, ymmword ptr [r9 + 960]
vmovupd ymm9, ymmword ptr [r9 + 768]
vmovupd ymm10, ymmword ptr [r9 + 128]
vmovupd ymm11, ymmword ptr [r9 + 320]
vmovupd ymm12, ymmword ptr [r9 + 832]
vmovupd ymm13, ymmword ptr [r9 + 64]
vsubpd ymm14, ymm10, ymm0
vsubpd ymm15, ymm7, ymm2
vsubpd ymm2, ymm1, ymm6
vsubpd ymm1, ymm3, ymm8
vsubpd ymm3, ymm13, ymm5
vsubpd ymm8, ymm4, ymm9
vaddpd ymm5, ymm13, ymm5
vaddpd ymm13, ymm11, ymm12
vmovupd ymm4, ymmword ptr [r9 + 0]
vmovupd ymm9, ymmword ptr [r9 + 512]
vaddpd ymm0, ymm10, ymm0
vaddpd ymm7, ymm7, ymmword ptr [r9 + 704]
vaddpd ymm6, ymm6, ymmword ptr [r9 + 384]
vaddpd ymm10, ymm15, ymm2
vsubpd ymm2, ymm15, ymm2
vsubpd ymm15, ymm14, ymm1
vaddpd ymm1, ymm14, ymm1
vmovupd ymm14, ymmword ptr [r9 + 960]
vaddpd ymm14, ymm14, ymmword ptr [r9 + 448]
vmovapd ymmword ptr [r11 + 0], ymm0
vsubpd ymm0, ymm4, ymm9
vsubpd ymm12, ymm11, ymm12
vaddpd ymm11, ymm3, ymm8
vsubpd ymm8, ymm3, ymm8
vaddpd ymm9, ymm4, ymm9
vmovupd ymm4, ymmword ptr [r9 + 768]
vaddpd ymm4, ymm4, ymmword ptr [r9 + 256]
vaddpd ymm3, ymm15, ymm10
vsubpd ymm10, ymm15, ymm10
vsubpd ymm15, ymm1, ymm2
vaddpd ymm2, ymm1, ymm2
vaddpd ymm1, ymm5, ymm13
vsubpd ymm13, ymm5, ymm13
vaddpd ymm5, ymm7, ymm14
vsubpd ymm14, ymm7, ymm14
vmovupd ymm7, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm14
vsubpd ymm14, ymm7, ymm6
vaddpd ymm6, ymm7, ymm6
vsubpd ymm7, ymm0, ymm12
vaddpd ymm12, ymm0, ymm12
vmovupd ymm0, ymmword ptr [rcx + 32]
vfmadd132pd ymm0, ymm11, ymm3
vfnmadd231pd ymm11, ymm3, ymmword ptr [rcx + 32]
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm8, ymm15
vfnmadd231pd ymm8, ymm15, ymmword ptr [rcx + 32]
vaddpd ymm15, ymm9, ymm4
vsubpd ymm4, ymm9, ymm4
vsubpd ymm9, ymm1, ymm5
vaddpd ymm5, ymm1, ymm5
vmovupd ymmword ptr [rdi - 1024], ymm5
vaddpd ymm5, ymm13, ymm14
vsubpd ymm14, ymm13, ymm14
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm7, ymm10
vfnmadd231pd ymm7, ymm10, ymmword ptr [rcx + 32]
vbroadcastsd ymm10, qword ptr [rsi + 8]
vbroadcastsd ymm1, qword ptr [rsi + 0]
vmovapd ymmword ptr [r11 + 0], ymm8
vmovupd ymm8, ymmword ptr [rcx + 32]
vfnmadd132pd ymm8, ymm12, ymm2
vfmadd231pd ymm12, ymm2, ymmword ptr [rcx + 32]
vsubpd ymm2, ymm15, ymm6
vaddpd ymm6, ymm15, ymm6
vmovupd ymmword ptr [rdi - 960], ymm6
vmovupd ymm6, ymmword ptr [r11 + 32]
vsubpd ymm15, ymm4, ymm6
vmovapd ymmword ptr [r11 + 64], ymm12
vbroadcastsd ymm12, qword ptr [rsi + 24]
vmovapd ymmword ptr [r11 + 96], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 16]
vaddpd ymm6, ymm4, ymm6
vmulpd ymm4, ymm0, ymm10
vmulpd ymm0, ymm0, ymm1
vfmsub231pd ymm4, ymm13, ymm1
vfmadd231pd ymm0, ymm13, ymm10
vmovupd ymmword ptr [rdi - 832], ymm4
vbroadcastsd ymm4, qword ptr [rsi + 40]
vbroadcastsd ymm10, qword ptr [rsi + 32]
vmovupd ymmword ptr [rdi - 896], ymm0
vmulpd ymm0, ymm5, ymm12
vmulpd ymm5, ymm5, ymm14
vfmsub231pd ymm0, ymm15, ymm14
vfmadd231pd ymm5, ymm15, ymm12
vmovupd ymmword ptr [rdi - 704], ymm0
vbroadcastsd ymm0, qword ptr [rsi + 56]
vbroadcastsd ymm12, qword ptr [rsi + 48]
vmovupd ymmword ptr [rdi - 768], ymm5
vmulpd ymm5, ymm3, ymm4
vmulpd ymm3, ymm3, ymm10
vfmsub231pd ymm5, ymm8, ymm10
vfmadd231pd ymm3, ymm8, ymm4
vmovupd ymmword ptr [rdi - 576], ymm5
vbroadcastsd ymm5, qword ptr [rsi + 72]
vbroadcastsd ymm4, qword ptr [rsi + 64]
vmovupd ymmword ptr [rdi - 640], ymm3
vmulpd ymm3, ymm9, ymm0
vmulpd ymm9, ymm9, ymm12
vfmsub231pd ymm3, ymm2, ymm12
vfmadd231pd ymm9, ymm2, ymm0
vbroadcastsd ymm0, qword ptr [rsi + 88]
vmovupd ymmword ptr [rdi - 448], ymm3
vbroadcastsd ymm3, qword ptr [rsi + 80]
vmovupd ymmword ptr [rdi - 512], ymm9
vmulpd ymm9, ymm11, ymm5
vbroadcastsd ymm2, qword ptr [rsi + 104]
vbroadcastsd ymm12, qword ptr [rsi + 96]
vmulpd ymm11, ymm11, ymm4
vfmsub231pd ymm9, ymm7, ymm4
vfmadd231pd ymm11, ymm7, ymm5
vmovupd ymmword ptr [rdi - 320], ymm9
vmovupd ymm9, ymmword ptr [r11 + 96]
vmulpd ymm5, ymm9, ymm0
vmovupd ymmword ptr [rdi - 384], ymm11
vmulpd ymm9, ymm9, ymm3
vmovupd ymm11, ymmword ptr [r11 + 0]
vmulpd ymm7, ymm11, ymm2
vmulpd ymm11, ymm11, ymm12
vfmsub231pd ymm5, ymm6, ymm3
vmovupd ymm3, ymmword ptr [r9 + 160]
vfmadd231pd ymm9, ymm6, ymm0
vmovupd ymm0, ymmword ptr [r9 + 224]
vmovupd ymm6, ymmword ptr [r11 + 64]
vfmsub231pd ymm7, ymm6, ymm12
vfmadd231pd ymm11, ymm6, ymm2
vmovupd ymm2, ymmword ptr [r9 + 96]
vmovupd ymm6, ymmword ptr [r9 + 416]
vmovupd ymm12, ymmword ptr [r9 + 672]
vmovupd ymmword ptr [rdi - 192], ymm5
vmovupd ymm5, ymmword ptr [r9 + 736]
vmovupd ymm4, ymmword ptr [r9 + 480]
vmovupd ymm8, ymmword ptr [r9 + 288]
vmovupd ymm10, ymmword ptr [r9 + 608]
vmovupd ymm15, ymmword ptr [r9 + 928]
vmovupd ymmword ptr [rdi - 256], ymm9
vmovupd ymm9, ymmword ptr [r9 + 992]
vmovupd ymm14, ymmword ptr [r9 + 800]
vmovupd ymmword ptr [rdi - 64], ymm7
vmovupd ymm7, ymmword ptr [r9 + 352]
vmovupd ymm13, ymmword ptr [r9 + 864]
vmovupd ymmword ptr [rdi - 128], ymm11
vsubpd ymm11, ymm3, ymm12
vsubpd ymm1, ymm0, ymm5
vsubpd ymm0, ymm6, ymm15
vsubpd ymm6, ymm4, ymm9
vsubpd ymm4, ymm2, ymm10
vsubpd ymm9, ymm8, ymm14
vaddpd ymm10, ymm2, ymm10
vaddpd ymm2, ymm7, ymm13
vmovupd ymm8, ymmword ptr [r9 + 32]
vmovupd ymm14, ymmword ptr [r9 + 544]
vaddpd ymm12, ymm3, ymm12
vaddpd ymm5, ymm5, ymmword ptr [r9 + 224]
vaddpd ymm15, ymm15, ymmword ptr [r9 + 416]
vaddpd ymm3, ymm1, ymm0
vsubpd ymm0, ymm1, ymm0
vsubpd ymm1, ymm11, ymm6
vaddpd ymm6, ymm11, ymm6
vmovupd ymm11, ymmword ptr [r9 + 992]
vaddpd ymm11, ymm11, ymmword ptr [r9 + 480]
vmovapd ymmword ptr [r11 + 64], ymm12
vsubpd ymm12, ymm8, ymm14
vsubpd ymm13, ymm7, ymm13
vaddpd ymm7, ymm4, ymm9
vsubpd ymm9, ymm4, ymm9
vaddpd ymm14, ymm8, ymm14
vmovupd ymm8, ymmword ptr [r9 + 800]
vaddpd ymm8, ymm8, ymmword ptr [r9 + 288]
vaddpd ymm4, ymm1, ymm3
vsubpd ymm3, ymm1, ymm3
vsubpd ymm1, ymm6, ymm0
vaddpd ymm0, ymm6, ymm0
vaddpd ymm6, ymm10, ymm2
vsubpd ymm2, ymm10, ymm2
vaddpd ymm10, ymm5, ymm11
vsubpd ymm11, ymm5, ymm11
vmovupd ymm5, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 0], ymm11
vsubpd ymm11, ymm5, ymm15
vaddpd ymm15, ymm5, ymm15
vsubpd ymm5, ymm12, ymm13
vaddpd ymm13, ymm12, ymm13
vmovupd ymm12, ymmword ptr [rcx + 32]
vfmadd132pd ymm12, ymm7, ymm4
vfnmadd231pd ymm7, ymm4, ymmword ptr [rcx + 32]
vmovupd ymm4, ymmword ptr [rcx + 32]
vfmadd132pd ymm4, ymm9, ymm1
vfnmadd231pd ymm9, ymm1, ymmword ptr [rcx + 32]
vaddpd ymm1, ymm14, ymm8
vsubpd ymm8, ymm14, ymm8
vsubpd ymm14, ymm6, ymm10
vaddpd ymm10, ymm6, ymm10
vmovupd ymmword ptr [rdi - 992], ymm10
vaddpd ymm10, ymm2, ymm11
vsubpd ymm11, ymm2, ymm11
vmovupd ymm2, ymmword ptr [rcx + 32]
vfmadd132pd ymm2, ymm5, ymm3
vfnmadd231pd ymm5, ymm3, ymmword ptr [rcx + 32]
vbroadcastsd ymm3, qword ptr [rsi + 8]
vbroadcastsd ymm6, qword ptr [rsi + 0]
vmovapd ymmword ptr [r11 + 64], ymm9
vmovupd ymm9, ymmword ptr [rcx + 32]
vfnmadd132pd ymm9, ymm13, ymm0
vfmadd231pd ymm13, ymm0, ymmword ptr [rcx + 32]
vsubpd ymm0, ymm1, ymm15
vaddpd ymm15, ymm1, ymm15
vmovupd ymmword ptr [rdi - 928], ymm15
vmovupd ymm15, ymmword ptr [r11 + 0]
vsubpd ymm1, ymm8, ymm15
vmovapd ymmword ptr [r11 + 96], ymm13
vbroadcastsd ymm13, qword ptr [rsi + 24]
vmovapd ymmword ptr [r11 + 32], ymm11
vbroadcastsd ymm11, qword ptr [rsi + 16]
vaddpd ymm15, ymm8, ymm15
vmulpd ymm8, ymm12, ymm3
vmulpd ymm12, ymm12, ymm6
vfmsub231pd ymm8, ymm2, ymm6
vfmadd231pd ymm12, ymm2, ymm3
vmovupd ymmword ptr [rdi - 800], ymm8
vbroadcastsd ymm8, qword ptr [rsi + 40]
vbroadcastsd ymm3, qword ptr [rsi + 32]
vmovupd ymmword ptr [rdi - 864], ymm12
vmulpd ymm12, ymm10, ymm13
vmulpd ymm10, ymm10, ymm11
vfmsub231pd ymm12, ymm1, ymm11
vfmadd231pd ymm10, ymm1, ymm13
vmovupd ymmword ptr [rdi - 672], ymm12
vbroadcastsd ymm12, qword ptr [rsi + 56]
vbroadcastsd ymm13, qword ptr [rsi + 48]
vmovupd ymmword ptr [rdi - 736], ymm10
vmulpd ymm10, ymm4, ymm8
vmulpd ymm4, ymm4, ymm3
vfmsub231pd ymm10, ymm9, ymm3
vfmadd231pd ymm4, ymm9, ymm8
vmovupd ymmword ptr [rdi - 544], ymm10
vbroadcastsd ymm10, qword ptr [rsi + 72]
vbroadcastsd ymm8, qword ptr [rsi + 64]
vmovupd ymmword ptr [rdi - 608], ymm4
vmulpd ymm4, ymm14, ymm12
vmulpd ymm14, ymm14, ymm13
vfmsub231pd ymm4, ymm0, ymm13
vfmadd231pd ymm14, ymm0, ymm12
vbroadcastsd ymm12, qword ptr [rsi + 88]
vmovupd ymmword ptr [rdi - 416], ymm4
vbroadcastsd ymm4, qword ptr [rsi + 80]
vmovupd ymmword ptr [rdi - 480], ymm14
vmulpd ymm14, ymm7, ymm10
vbroadcastsd ymm0, qword ptr [rsi + 104]
vbroadcastsd ymm13, qword ptr [rsi + 96]
vmulpd ymm7, ymm7, ymm8
vfmsub231pd ymm14, ymm5, ymm8
vfmadd231pd ymm7, ymm5, ymm10
vmovupd ymmword ptr [rdi - 288], ymm14
vmovupd ymm14, ymmword ptr [r11 + 32]
vmulpd ymm10, ymm14, ymm12
vmovupd ymmword ptr [rdi - 352], ymm7
vmulpd ymm14, ymm14, ymm4
vmovupd ymm7, ymmword ptr [r11 + 64]
vmulpd ymm5, ymm7, ymm0
vmulpd ymm7, ymm7, ymm13
vfmsub231pd ymm10, ymm15, ymm4
vmovupd ymm4, ymmword ptr [rdi + 192]
vfmadd231pd ymm14, ymm15, ymm12
vmovupd ymm12, ymmword ptr [rdi + 128]
vmovupd ymm15, ymmword ptr [r11 + 96]
vfmsub231pd ymm5, ymm15, ymm13
vfmadd231pd ymm7, ymm15, ymm0
vmovupd ymm0, ymmword ptr [rdi + 0]
vmovupd ymm15, ymmword ptr [rdi + 448]
vmovupd ymm13, ymmword ptr [rdi + 704]
vmovupd ymmword ptr [rdi - 160], ymm10
vmovupd ymm10, ymmword ptr [rdi + 640]
vmovupd ymm8, ymmword ptr [rdi + 384]
vmovupd ymm9, ymmword ptr [rdi + 320]
vmovupd ymm3, ymmword ptr [rdi + 512]
vmovupd ymm1, ymmword ptr [rdi + 960]
vmovupd ymmword ptr [rdi - 224], ymm14
vmovupd ymm14, ymmword ptr [rdi + 896]
vmovupd ymm11, ymmword ptr [rdi + 832]
vmovupd ymmword ptr [rdi - 32], ymm5
vmovupd ymm5, ymmword ptr [rdi + 256]
vmovupd ymm2, ymmword ptr [rdi + 768]
vmovupd ymmword ptr [rdi - 96], ymm7
vsubpd ymm7, ymm4, ymm13
vsubpd ymm6, ymm12, ymm10
vsubpd ymm12, ymm15, ymm1
vsubpd ymm15, ymm8, ymm14
vsubpd ymm8, ymm0, ymm3
vsubpd ymm14, ymm9, ymm11
vaddpd ymm3, ymm0, ymm3
vaddpd ymm0, ymm5, ymm2
vmovupd ymm9, ymmword ptr [rdi + 64]
vmovupd ymm11, ymmword ptr [rdi + 576]
vaddpd ymm13, ymm4, ymm13
vaddpd ymm10, ymm10, ymmword ptr [rdi + 128]
vaddpd ymm1, ymm1, ymmword ptr [rdi + 448]
vaddpd ymm4, ymm6, ymm12
vsubpd ymm12, ymm6, ymm12
vsubpd ymm6, ymm7, ymm15
vaddpd ymm15, ymm7, ymm15
vmovupd ymm7, ymmword ptr [rdi + 896]
vaddpd ymm7, ymm7, ymmword ptr [rdi + 384]
vmovapd ymmword ptr [r11 + 96], ymm13
vsubpd ymm13, ymm9, ymm11
vsubpd ymm2, ymm5, ymm2
vaddpd ymm5, ymm8, ymm14
vsubpd ymm14, ymm8, ymm14
vaddpd ymm11, ymm9, ymm11
vmovupd ymm9, ymmword ptr [rdi + 832]
vaddpd ymm9, ymm9, ymmword ptr [rdi + 320]
vaddpd ymm8, ymm6, ymm4
vsubpd ymm4, ymm6, ymm4
vsubpd ymm6, ymm15, ymm12
vaddpd ymm12, ymm15, ymm12
vaddpd ymm15, ymm3, ymm0
vsubpd ymm0, ymm3, ymm0
vaddpd ymm3, ymm10, ymm7
vsubpd ymm7, ymm10, ymm7
vmovupd ymm10, ymmword ptr [r11 + 96]
vmovapd ymmword ptr [r11 + 64], ymm7
vsubpd ymm7, ymm10, ymm1
vaddpd ymm1, ymm10, ymm1
vsubpd ymm10, ymm13, ymm2
vaddpd ymm2, ymm13, ymm2
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm5, ymm8
vfnmadd231pd ymm5, ymm8, ymmword ptr [rcx + 32]
vmovupd ymm8, ymmword ptr [rcx + 32]
vfmadd132pd ymm8, ymm14, ymm6
vfnmadd231pd ymm14, ymm6, ymmword ptr [rcx + 32]
vaddpd ymm6, ymm11, ymm9
vsubpd ymm9, ymm11, ymm9
vsubpd ymm11, ymm15, ymm3
vaddpd ymm3, ymm15, ymm3
vaddpd ymm15, ymm0, ymm7
vsubpd ymm7, ymm0, ymm7
vmovupd ymm0, ymmword ptr [rcx + 32]
vfmadd132pd ymm0, ymm10, ymm4
vfnmadd231pd ymm10, ymm4, ymmword ptr [rcx + 32]
vmovupd ymm4, ymmword ptr [rcx + 32]
vfnmadd132pd ymm4, ymm2, ymm12
vfmadd231pd ymm2, ymm12, ymmword ptr [rcx + 32]
vmulpd ymm12, ymm13, ymmword ptr [rdx + 64]
vmulpd ymm13, ymm13, ymmword ptr [rdx + 0]
vfmsub231pd ymm12, ymm0, ymmword ptr [rdx + 0]
vfmadd231pd ymm13, ymm0, ymmword ptr [rdx + 64]
vsubpd ymm0, ymm6, ymm1
vaddpd ymm1, ymm6, ymm1
vmovupd ymm6, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 96], ymm3
vsubpd ymm3, ymm9, ymm6
vaddpd ymm6, ymm9, ymm6
vmulpd ymm9, ymm15, ymmword ptr [rdx + 192]
vmulpd ymm15, ymm15, ymmword ptr [rdx + 128]
vfmsub231pd ymm9, ymm3, ymmword ptr [rdx + 128]
vfmadd231pd ymm15, ymm3, ymmword ptr [rdx + 192]
vmulpd ymm3, ymm8, ymmword ptr [rdx + 320]
vmulpd ymm8, ymm8, ymmword ptr [rdx + 256]
vfmsub231pd ymm3, ymm4, ymmword ptr [rdx + 256]
vfmadd231pd ymm8, ymm4, ymmword ptr [rdx + 320]
vmulpd ymm4, ymm11, ymmword ptr [rdx + 448]
vmulpd ymm11, ymm11, ymmword ptr [rdx + 384]
vfmsub231pd ymm4, ymm0, ymmword ptr [rdx + 384]
vfmadd231pd ymm11, ymm0, ymmword ptr [rdx + 448]
vmulpd ymm0, ymm5, ymmword ptr [rdx + 576]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 512]
vfmsub231pd ymm0, ymm10, ymmword ptr [rdx + 512]
vfmadd231pd ymm5, ymm10, ymmword ptr [rdx + 576]
vmulpd ymm10, ymm7, ymmword ptr [rdx + 704]
vmulpd ymm7, ymm7, ymmword ptr [rdx + 640]
vfmsub231pd ymm10, ymm6, ymmword ptr [rdx + 640]
vfmadd231pd ymm7, ymm6, ymmword ptr [rdx + 704]
vmulpd ymm6, ymm14, ymmword ptr [rdx + 832]
vmulpd ymm14, ymm14, ymmword ptr [rdx + 768]
vfmsub231pd ymm6, ymm2, ymmword ptr [rdx + 768]
vfmadd231pd ymm14, ymm2, ymmword ptr [rdx + 832]
vunpcklpd ymm2, ymm1, ymm12
vunpckhpd ymm12, ymm1, ymm12
vmovupd ymm1, ymmword ptr [r11 + 96]
vmovapd ymmword ptr [r11 + 64], ymm7
vunpcklpd ymm7, ymm1, ymm13
vunpckhpd ymm13, ymm1, ymm13
vunpcklpd ymm1, ymm9, ymm3
vunpckhpd ymm3, ymm9, ymm3
vunpcklpd ymm9, ymm15, ymm8
vunpckhpd ymm8, ymm15, ymm8
vperm2f128 ymm15, ymm2, ymm1, 49
vinsertf128 ymm1, ymm2, xmm1, 1
vmovupd ymmword ptr [r10 + 0], ymm1
vmovupd ymmword ptr [r10 + 128], ymm15
vunpcklpd ymm15, ymm4, ymm0
vunpckhpd ymm0, ymm4, ymm0
vunpcklpd ymm4, ymm11, ymm5
vunpckhpd ymm5, ymm11, ymm5
vperm2f128 ymm11, ymm12, ymm3, 49
vinsertf128 ymm3, ymm12, xmm3, 1
vmovupd ymmword ptr [r10 + 512], ymm3
vmovupd ymmword ptr [r10 + 640], ymm11
vunpcklpd ymm11, ymm10, ymm6
vunpckhpd ymm6, ymm10, ymm6
vmovupd ymm10, ymmword ptr [r11 + 64]
vunpcklpd ymm3, ymm10, ymm14
vunpckhpd ymm14, ymm10, ymm14
vperm2f128 ymm10, ymm15, ymm11, 49
vinsertf128 ymm11, ymm15, xmm11, 1
vmovupd ymmword ptr [r10 + 32], ymm11
vmovupd ymmword ptr [r10 + 160], ymm10
vperm2f128 ymm10, ymm0, ymm6, 49
vinsertf128 ymm6, ymm0, xmm6, 1
vmovupd ymmword ptr [r10 + 544], ymm6
vmovupd ymmword ptr [r10 + 672], ymm10
vperm2f128 ymm10, ymm7, ymm9, 49
vinsertf128 ymm9, ymm7, xmm9, 1
vmovupd ymmword ptr [r10 + 64], ymm9
vmovupd ymmword ptr [r10 + 192], ymm10
vperm2f128 ymm10, ymm13, ymm8, 49
vinsertf128 ymm8, ymm13, xmm8, 1
vmovupd ymmword ptr [r10 + 576], ymm8
vmovupd ymmword ptr [r10 + 704], ymm10
vperm2f128 ymm10, ymm4, ymm3, 49
vmovupd ymm8, ymmword ptr [rdi + 224]
vinsertf128 ymm3, ymm4, xmm3, 1
vmovupd ymm4, ymmword ptr [rdi + 160]
vmovupd ymmword ptr [r10 + 96], ymm3
vmovupd ymmword ptr [r10 + 224], ymm10
vmovupd ymm10, ymmword ptr [rdi + 32]
vmovupd ymm3, ymmword ptr [rdi + 480]
vmovupd ymm13, ymmword ptr [rdi + 736]
vperm2f128 ymm9, ymm5, ymm14, 49
vmovupd ymm7, ymmword ptr [rdi + 672]
vmovupd ymm6, ymmword ptr [rdi + 416]
vmovupd ymm0, ymmword ptr [rdi + 352]
vmovupd ymm11, ymmword ptr [rdi + 544]
vmovupd ymm15, ymmword ptr [rdi + 992]
vinsertf128 ymm14, ymm5, xmm14, 1
vmovupd ymm5, ymmword ptr [rdi + 928]
vmovupd ymm12, ymmword ptr [rdi + 864]
vmovupd ymmword ptr [r10 + 608], ymm14
vmovupd ymm14, ymmword ptr [rdi + 288]
vmovupd ymm1, ymmword ptr [rdi + 800]
vmovupd ymmword ptr [r10 + 736], ymm9
vsubpd ymm9, ymm8, ymm13
vsubpd ymm2, ymm4, ymm7
vsubpd ymm4, ymm3, ymm15
vsubpd ymm3, ymm6, ymm5
vsubpd ymm6, ymm10, ymm11
vsubpd ymm5, ymm0, ymm12
vaddpd ymm11, ymm10, ymm11
vaddpd ymm10, ymm14, ymm1
vmovupd ymm0, ymmword ptr [rdi + 96]
vmovupd ymm12, ymmword ptr [rdi + 608]
vaddpd ymm13, ymm8, ymm13
vaddpd ymm7, ymm7, ymmword ptr [rdi + 160]
vaddpd ymm15, ymm15, ymmword ptr [rdi + 480]
vaddpd ymm8, ymm2, ymm4
vsubpd ymm4, ymm2, ymm4
vsubpd ymm2, ymm9, ymm3
vaddpd ymm3, ymm9, ymm3
vmovupd ymm9, ymmword ptr [rdi + 928]
vaddpd ymm9, ymm9, ymmword ptr [rdi + 416]
vmovapd ymmword ptr [r11 + 64], ymm13
vsubpd ymm13, ymm0, ymm12
vsubpd ymm1, ymm14, ymm1
vaddpd ymm14, ymm6, ymm5
vsubpd ymm5, ymm6, ymm5
vaddpd ymm12, ymm0, ymm12
vmovupd ymm0, ymmword ptr [rdi + 864]
vaddpd ymm0, ymm0, ymmword ptr [rdi + 352]
vaddpd ymm6, ymm2, ymm8
vsubpd ymm8, ymm2, ymm8
vsubpd ymm2, ymm3, ymm4
vaddpd ymm4, ymm3, ymm4
vaddpd ymm3, ymm11, ymm10
vsubpd ymm10, ymm11, ymm10
vaddpd ymm11, ymm7, ymm9
vsubpd ymm9, ymm7, ymm9
vmovupd ymm7, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 96], ymm9
vsubpd ymm9, ymm7, ymm15
vaddpd ymm15, ymm7, ymm15
vsubpd ymm7, ymm13, ymm1
vaddpd ymm1, ymm13, ymm1
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm14, ymm6
vfnmadd231pd ymm14, ymm6, ymmword ptr [rcx + 32]
vmovupd ymm6, ymmword ptr [rcx + 32]
vfmadd132pd ymm6, ymm5, ymm2
vfnmadd231pd ymm5, ymm2, ymmword ptr [rcx + 32]
vaddpd ymm2, ymm12, ymm0
vsubpd ymm0, ymm12, ymm0
vsubpd ymm12, ymm3, ymm11
vaddpd ymm11, ymm3, ymm11
vaddpd ymm3, ymm10, ymm9
vsubpd ymm9, ymm10, ymm9
vmovupd ymm10, ymmword ptr [rcx + 32]
vfmadd132pd ymm10, ymm7, ymm8
vfnmadd231pd ymm7, ymm8, ymmword ptr [rcx + 32]
vmovupd ymm8, ymmword ptr [rcx + 32]
vfnmadd132pd ymm8, ymm1, ymm4
vfmadd231pd ymm1, ymm4, ymmword ptr [rcx + 32]
vmulpd ymm4, ymm13, ymmword ptr [rdx + 96]
vmulpd ymm13, ymm13, ymmword ptr [rdx + 32]
vfmsub231pd ymm4, ymm10, ymmword ptr [rdx + 32]
vfmadd231pd ymm13, ymm10, ymmword ptr [rdx + 96]
vsubpd ymm10, ymm2, ymm15
vaddpd ymm15, ymm2, ymm15
vmovupd ymm2, ymmword ptr [r11 + 96]
vmovapd ymmword ptr [r11 + 64], ymm11
vsubpd ymm11, ymm0, ymm2
vaddpd ymm2, ymm0, ymm2
vmulpd ymm0, ymm3, ymmword ptr [rdx + 224]
vmulpd ymm3, ymm3, ymmword ptr [rdx + 160]
vfmsub231pd ymm0, ymm11, ymmword ptr [rdx + 160]
vfmadd231pd ymm3, ymm11, ymmword ptr [rdx + 224]
vmulpd ymm11, ymm6, ymmword ptr [rdx + 352]
vmulpd ymm6, ymm6, ymmword ptr [rdx + 288]
vfmsub231pd ymm11, ymm8, ymmword ptr [rdx + 288]
vfmadd231pd ymm6, ymm8, ymmword ptr [rdx + 352]
vmulpd ymm8, ymm12, ymmword ptr [rdx + 480]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 416]
vfmsub231pd ymm8, ymm10, ymmword ptr [rdx + 416]
vfmadd231pd ymm12, ymm10, ymmword ptr [rdx + 480]
vmulpd ymm10, ymm14, ymmword ptr [rdx + 608]
vmulpd ymm14, ymm14, ymmword ptr [rdx + 544]
vfmsub231pd ymm10, ymm7, ymmword ptr [rdx + 544]
vfmadd231pd ymm14, ymm7, ymmword ptr [rdx + 608]
vmulpd ymm7, ymm9, ymmword ptr [rdx + 736]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 672]
vfmsub231pd ymm7, ymm2, ymmword ptr [rdx + 672]
vfmadd231pd ymm9, ymm2, ymmword ptr [rdx + 736]
vmulpd ymm2, ymm5, ymmword ptr [rdx + 864]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 800]
vfmsub231pd ymm2, ymm1, ymmword ptr [rdx + 800]
vfmadd231pd ymm5, ymm1, ymmword ptr [rdx + 864]
vunpcklpd ymm1, ymm15, ymm4
vunpckhpd ymm4, ymm15, ymm4
vmovupd ymm15, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 96], ymm9
vunpcklpd ymm9, ymm15, ymm13
vunpckhpd ymm13, ymm15, ymm13
vunpcklpd ymm15, ymm0, ymm11
vunpckhpd ymm11, ymm0, ymm11
vunpcklpd ymm0, ymm3, ymm6
vunpckhpd ymm6, ymm3, ymm6
vperm2f128 ymm3, ymm1, ymm15, 49
vinsertf128 ymm15, ymm1, xmm15, 1
vmovupd ymmword ptr [r10 + 256], ymm15
vmovupd ymmword ptr [r10 + 384], ymm3
vunpcklpd ymm3, ymm8, ymm10
vunpckhpd ymm10, ymm8, ymm10
vunpcklpd ymm8, ymm12, ymm14
vunpckhpd ymm14, ymm12, ymm14
vperm2f128 ymm12, ymm4, ymm11, 49
vinsertf128 ymm11, ymm4, xmm11, 1
vmovupd ymmword ptr [r10 + 768], ymm11
vmovupd ymmword ptr [r10 + 896], ymm12
vunpcklpd ymm12, ymm7, ymm2
vunpckhpd ymm2, ymm7, ymm2
vmovupd ymm7, ymmword ptr [r11 + 96]
vunpcklpd ymm11, ymm7, ymm5
vunpckhpd ymm5, ymm7, ymm5
vperm2f128 ymm7, ymm3, ymm12, 49
vinsertf128 ymm12, ymm3, xmm12, 1
vmovupd ymmword ptr [r10 + 288], ymm12
vmovupd ymmword ptr [r10 + 416], ymm7
vperm2f128 ymm7, ymm10, ymm2, 49
vinsertf128 ymm2, ymm10, xmm2, 1
vmovupd ymmword ptr [r10 + 800], ymm2
vmovupd ymmword ptr [r10 + 928], ymm7
vperm2f128 ymm7, ymm9, ymm0, 49
vinsertf128 ymm0, ymm9, xmm0, 1
vmovupd ymmword ptr [r10 + 320], ymm0
vmovupd ymmword ptr [r10 + 448], ymm7
vperm2f128 ymm7, ymm13, ymm6, 49
vinsertf128 ymm6, ymm13, xmm6, 1
vmovupd ymmword ptr [r10 + 832], ymm6
vmovupd ymmword ptr [r10 + 960], ymm7
vperm2f128 ymm7, ymm8, ymm11, 49
vinsertf128 ymm11, ymm8, xmm11, 1
vmovupd ymmword ptr [r10 + 352], ymm11
vmovupd ymmword ptr [r10 + 480], ymm7
vperm2f128 ymm7, ymm14, ymm5, 49
vinsertf128 ymm5, ymm14, xmm5, 1
vmovupd ymmword ptr [r10 + 864], ymm5
vmovupd ymmword ptr [r10 + 992], ymm7
add rdx, 896
add rsi, 112
add rdi, 1024
xchg r9, r10
dec r8
jnz 2b
3:
vmovupd ymm0, ymmword ptr [r9 + 640]
vmovupd ymm1, ymmword ptr [r9 + 384]
vmovupd ymm2, ymmword ptr [r9 + 704]
vmovupd ymm3, ymmword ptr [r9 + 448]
vmovupd ymm4, ymmword ptr [r9 + 256]
vmovupd ymm5, ymmword ptr [r9 + 576]
vmovupd ymm6, ymmword ptr [r9 + 896]
vmovupd ymm7, ymmword ptr [r9 + 192]
vmovupd ymm8, ymmword ptr [r9 + 960]
vmovupd ymm9, ymmword ptr [r9 + 768]
vmovupd ymm10, ymmword ptr [r9 + 128]
vmovupd ymm11, ymmword ptr [r9 + 320]
vmovupd ymm12, ymmword ptr [r9 + 832]
vmovupd ymm13, ymmword ptr [r9 + 64]
vsubpd ymm14, ymm10, ymm0
vsubpd ymm15, ymm7, ymm2
vsubpd ymm2, ymm1, ymm6
vsubpd ymm1, ymm3, ymm8
vsubpd ymm3, ymm13, ymm5
vsubpd ymm8, ymm4, ymm9
vaddpd ymm5, ymm13, ymm5
vaddpd ymm13, ymm11, ymm12
vmovupd ymm4, ymmword ptr [r9 + 0]
vmovupd ymm9, ymmword ptr [r9 + 512]
vaddpd ymm0, ymm10, ymm0
vaddpd ymm7, ymm7, ymmword ptr [r9 + 704]
vaddpd ymm6, ymm6, ymmword ptr [r9 + 384]
vaddpd ymm10, ymm15, ymm2
vsubpd ymm2, ymm15, ymm2
vsubpd ymm15, ymm14, ymm1
vaddpd ymm1, ymm14, ymm1
vmovupd ymm14, ymmword ptr [r9 + 960]
vaddpd ymm14, ymm14, ymmword ptr [r9 + 448]
vmovapd ymmword ptr [r11 + 0], ymm0
vsubpd ymm0, ymm4, ymm9
vsubpd ymm12, ymm11, ymm12
vaddpd ymm11, ymm3, ymm8
vsubpd ymm8, ymm3, ymm8
vaddpd ymm9, ymm4, ymm9
vmovupd ymm4, ymmword ptr [r9 + 768]
vaddpd ymm4, ymm4, ymmword ptr [r9 + 256]
vaddpd ymm3, ymm15, ymm10
vsubpd ymm10, ymm15, ymm10
vsubpd ymm15, ymm1, ymm2
vaddpd ymm2, ymm1, ymm2
vaddpd ymm1, ymm5, ymm13
vsubpd ymm13, ymm5, ymm13
vaddpd ymm5, ymm7, ymm14
vsubpd ymm14, ymm7, ymm14
vmovupd ymm7, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm14
vsubpd ymm14, ymm7, ymm6
vaddpd ymm6, ymm7, ymm6
vsubpd ymm7, ymm0, ymm12
vaddpd ymm12, ymm0, ymm12
vmovupd ymm0, ymmword ptr [rcx + 32]
vfmadd132pd ymm0, ymm11, ymm3
vfnmadd231pd ymm11, ymm3, ymmword ptr [rcx + 32]
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm8, ymm15
vfnmadd231pd ymm8, ymm15, ymmword ptr [rcx + 32]
vaddpd ymm15, ymm9, ymm4
vsubpd ymm4, ymm9, ymm4
vsubpd ymm9, ymm1, ymm5
vaddpd ymm5, ymm1, ymm5
vmovupd ymmword ptr [rdi - 1024], ymm5
vaddpd ymm5, ymm13, ymm14
vsubpd ymm14, ymm13, ymm14
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm7, ymm10
vfnmadd231pd ymm7, ymm10, ymmword ptr [rcx + 32]
vbroadcastsd ymm10, qword ptr [rsi + 8]
vbroadcastsd ymm1, qword ptr [rsi + 0]
vmovapd ymmword ptr [r11 + 0], ymm8
vmovupd ymm8, ymmword ptr [rcx + 32]
vfnmadd132pd ymm8, ymm12, ymm2
vfmadd231pd ymm12, ymm2, ymmword ptr [rcx + 32]
vsubpd ymm2, ymm15, ymm6
vaddpd ymm6, ymm15, ymm6
vmovupd ymmword ptr [rdi - 960], ymm6
vmovupd ymm6, ymmword ptr [r11 + 32]
vsubpd ymm15, ymm4, ymm6
vmovapd ymmword ptr [r11 + 64], ymm12
vbroadcastsd ymm12, qword ptr [rsi + 24]
vmovapd ymmword ptr [r11 + 96], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 16]
vaddpd ymm6, ymm4, ymm6
vmulpd ymm4, ymm0, ymm10
vmulpd ymm0, ymm0, ymm1
vfmsub231pd ymm4, ymm13, ymm1
vfmadd231pd ymm0, ymm13, ymm10
vmovupd ymmword ptr [rdi - 832], ymm4
vbroadcastsd ymm4, qword ptr [rsi + 40]
vbroadcastsd ymm10, qword ptr [rsi + 32]
vmovupd ymmword ptr [rdi - 896], ymm0
vmulpd ymm0, ymm5, ymm12
vmulpd ymm5, ymm5, ymm14
vfmsub231pd ymm0, ymm15, ymm14
vfmadd231pd ymm5, ymm15, ymm12
vmovupd ymmword ptr [rdi - 704], ymm0
vbroadcastsd ymm0, qword ptr [rsi + 56]
vbroadcastsd ymm12, qword ptr [rsi + 48]
vmovupd ymmword ptr [rdi - 768], ymm5
vmulpd ymm5, ymm3, ymm4
vmulpd ymm3, ymm3, ymm10
vfmsub231pd ymm5, ymm8, ymm10
vfmadd231pd ymm3, ymm8, ymm4
vmovupd ymmword ptr [rdi - 576], ymm5
vbroadcastsd ymm5, qword ptr [rsi + 72]
vbroadcastsd ymm4, qword ptr [rsi + 64]
vmovupd ymmword ptr [rdi - 640], ymm3
vmulpd ymm3, ymm9, ymm0
vmulpd ymm9, ymm9, ymm12
vfmsub231pd ymm3, ymm2, ymm12
vfmadd231pd ymm9, ymm2, ymm0
vbroadcastsd ymm0, qword ptr [rsi + 88]
vmovupd ymmword ptr [rdi - 448], ymm3
vbroadcastsd ymm3, qword ptr [rsi + 80]
vmovupd ymmword ptr [rdi - 512], ymm9
vmulpd ymm9, ymm11, ymm5
vbroadcastsd ymm2, qword ptr [rsi + 104]
vbroadcastsd ymm12, qword ptr [rsi + 96]
vmulpd ymm11, ymm11, ymm4
vfmsub231pd ymm9, ymm7, ymm4
vfmadd231pd ymm11, ymm7, ymm5
vmovupd ymmword ptr [rdi - 320], ymm9
vmovupd ymm9, ymmword ptr [r11 + 96]
vmulpd ymm5, ymm9, ymm0
vmovupd ymmword ptr [rdi - 384], ymm11
vmulpd ymm9, ymm9, ymm3
vmovupd ymm11, ymmword ptr [r11 + 0]
vmulpd ymm7, ymm11, ymm2
vmulpd ymm11, ymm11, ymm12
vfmsub231pd ymm5, ymm6, ymm3
vmovupd ymm3, ymmword ptr [r9 + 160]
vfmadd231pd ymm9, ymm6, ymm0
vmovupd ymm0, ymmword ptr [r9 + 224]
vmovupd ymm6, ymmword ptr [r11 + 64]
vfmsub231pd ymm7, ymm6, ymm12
vfmadd231pd ymm11, ymm6, ymm2
vmovupd ymm2, ymmword ptr [r9 + 96]
vmovupd ymm6, ymmword ptr [r9 + 416]
vmovupd ymm12, ymmword ptr [r9 + 672]
vmovupd ymmword ptr [rdi - 192], ymm5
vmovupd ymm5, ymmword ptr [r9 + 736]
vmovupd ymm4, ymmword ptr [r9 + 480]
vmovupd ymm8, ymmword ptr [r9 + 288]
vmovupd ymm10, ymmword ptr [r9 + 608]
vmovupd ymm15, ymmword ptr [r9 + 928]
vmovupd ymmword ptr [rdi - 256], ymm9
vmovupd ymm9, ymmword ptr [r9 + 992]
vmovupd ymm14, ymmword ptr [r9 + 800]
vmovupd ymmword ptr [rdi - 64], ymm7
vmovupd ymm7, ymmword ptr [r9 + 352]
vmovupd ymm13, ymmword ptr [r9 + 864]
vmovupd ymmword ptr [rdi - 128], ymm11
vsubpd ymm11, ymm3, ymm12
vsubpd ymm1, ymm0, ymm5
vsubpd ymm0, ymm6, ymm15
vsubpd ymm6, ymm4, ymm9
vsubpd ymm4, ymm2, ymm10
vsubpd ymm9, ymm8, ymm14
vaddpd ymm10, ymm2, ymm10
vaddpd ymm2, ymm7, ymm13
vmovupd ymm8, ymmword ptr [r9 + 32]
vmovupd ymm14, ymmword ptr [r9 + 544]
vaddpd ymm12, ymm3, ymm12
vaddpd ymm5, ymm5, ymmword ptr [r9 + 224]
vaddpd ymm15, ymm15, ymmword ptr [r9 + 416]
vaddpd ymm3, ymm1, ymm0
vsubpd ymm0, ymm1, ymm0
vsubpd ymm1, ymm11, ymm6
vaddpd ymm6, ymm11, ymm6
vmovupd ymm11, ymmword ptr [r9 + 992]
vaddpd ymm11, ymm11, ymmword ptr [r9 + 480]
vmovapd ymmword ptr [r11 + 64], ymm12
vsubpd ymm12, ymm8, ymm14
vsubpd ymm13, ymm7, ymm13
vaddpd ymm7, ymm4, ymm9
vsubpd ymm9, ymm4, ymm9
vaddpd ymm14, ymm8, ymm14
vmovupd ymm8, ymmword ptr [r9 + 800]
vaddpd ymm8, ymm8, ymmword ptr [r9 + 288]
vaddpd ymm4, ymm1, ymm3
vsubpd ymm3, ymm1, ymm3
vsubpd ymm1, ymm6, ymm0
vaddpd ymm0, ymm6, ymm0
vaddpd ymm6, ymm10, ymm2
vsubpd ymm2, ymm10, ymm2
vaddpd ymm10, ymm5, ymm11
vsubpd ymm11, ymm5, ymm11
vmovupd ymm5, ymmword ptr [r11 + 64]
vmovapd ymmword ptr [r11 + 0], ymm11
vsubpd ymm11, ymm5, ymm15
vaddpd ymm15, ymm5, ymm15
vsubpd ymm5, ymm12, ymm13
vaddpd ymm13, ymm12, ymm13
vmovupd ymm12, ymmword ptr [rcx + 32]
vfmadd132pd ymm12, ymm7, ymm4
vfnmadd231pd ymm7, ymm4, ymmword ptr [rcx + 32]
vmovupd ymm4, ymmword ptr [rcx + 32]
vfmadd132pd ymm4, ymm9, ymm1
vfnmadd231pd ymm9, ymm1, ymmword ptr [rcx + 32]
vaddpd ymm1, ymm14, ymm8
vsubpd ymm8, ymm14, ymm8
vsubpd ymm14, ymm6, ymm10
vaddpd ymm10, ymm6, ymm10
vmovupd ymmword ptr [rdi - 992], ymm10
vaddpd ymm10, ymm2, ymm11
vsubpd ymm11, ymm2, ymm11
vmovupd ymm2, ymmword ptr [rcx + 32]
vfmadd132pd ymm2, ymm5, ymm3
vfnmadd231pd ymm5, ymm3, ymmword ptr [rcx + 32]
vbroadcastsd ymm3, qword ptr [rsi + 8]
vbroadcastsd ymm6, qword ptr [rsi + 0]
vmovapd ymmword ptr [r11 + 64], ymm9
vmovupd ymm9, ymmword ptr [rcx + 32]
vfnmadd132pd ymm9, ymm13, ymm0
vfmadd231pd ymm13, ymm0, ymmword ptr [rcx + 32]
vsubpd ymm0, ymm1, ymm15
vaddpd ymm15, ymm1, ymm15
vmovupd ymmword ptr [rdi - 928], ymm15
vmovupd ymm15, ymmword ptr [r11 + 0]
vsubpd ymm1, ymm8, ymm15
vmovapd ymmword ptr [r11 + 96], ymm13
vbroadcastsd ymm13, qword ptr [rsi + 24]
vmovapd ymmword ptr [r11 + 32], ymm11
vbroadcastsd ymm11, qword ptr [rsi + 16]
vaddpd ymm15, ymm8, ymm15
vmulpd ymm8, ymm12, ymm3
vmulpd ymm12, ymm12, ymm6
vfmsub231pd ymm8, ymm2, ymm6
vfmadd231pd ymm12, ymm2, ymm3
vmovupd ymmword ptr [rdi - 800], ymm8
vbroadcastsd ymm8, qword ptr [rsi + 40]
vbroadcastsd ymm3, qword ptr [rsi + 32]
vmovupd ymmword ptr [rdi - 864], ymm12
vmulpd ymm12, ymm10, ymm13
vmulpd ymm10, ymm10, ymm11
vfmsub231pd ymm12, ymm1, ymm11
vfmadd231pd ymm10, ymm1, ymm13
vmovupd ymmword ptr [rdi - 672], ymm12
vbroadcastsd ymm12, qword ptr [rsi + 56]
vbroadcastsd ymm13, qword ptr [rsi + 48]
vmovupd ymmword ptr [rdi - 736], ymm10
vmulpd ymm10, ymm4, ymm8
vmulpd ymm4, ymm4, ymm3
vfmsub231pd ymm10, ymm9, ymm3
vfmadd231pd ymm4, ymm9, ymm8
vmovupd ymmword ptr [rdi - 544], ymm10
vbroadcastsd ymm10, qword ptr [rsi + 72]
vbroadcastsd ymm8, qword ptr [rsi + 64]
vmovupd ymmword ptr [rdi - 608], ymm4
vmulpd ymm4, ymm14, ymm12
vmulpd ymm14, ymm14, ymm13
vfmsub231pd ymm4, ymm0, ymm13
vfmadd231pd ymm14, ymm0, ymm12
vbroadcastsd ymm12, qword ptr [rsi + 88]
vmovupd ymmword ptr [rdi - 416], ymm4
vbroadcastsd ymm4, qword ptr [rsi + 80]
vmovupd ymmword ptr [rdi - 480], ymm14
vmulpd ymm14, ymm7, ymm10
vbroadcastsd ymm0, qword ptr [rsi + 104]
vbroadcastsd ymm13, qword ptr [rsi + 96]
vmulpd ymm7, ymm7, ymm8
vfmsub231pd ymm14, ymm5, ymm8
vfmadd231pd ymm7, ymm5, ymm10
vmovupd ymmword ptr [rdi - 288], ymm14
vmovupd ymm14, ymmword ptr [r11 + 32]
vmulpd ymm10, ymm14, ymm12
vmovupd ymmword ptr [rdi - 352], ymm7
vmulpd ymm14, ymm14, ymm4
vmovupd ymm7, ymmword ptr [r11 + 64]
vmulpd ymm5, ymm7, ymm0
vmulpd ymm7, ymm7, ymm13
vfmsub231pd ymm10, ymm15, ymm4
vfmadd231pd ymm14, ymm15, ymm12
vmovupd ymm12, ymmword ptr [r11 + 96]
vfmsub231pd ymm5, ymm12, ymm13
vfmadd231pd ymm7, ymm12, ymm0
vmovupd ymmword ptr [rdi - 160], ymm10
vmovupd ymmword ptr [rdi - 224], ymm14
vmovupd ymmword ptr [rdi - 32], ymm5
vmovupd ymmword ptr [rdi - 96], ymm7
# order 330 326 331 327 324 329 334 323 335 332 322 325 333 321 346 347 350 351 339 342 337 341 320 328 344 345 348 365 367 364 366 349 338 343 361 363 336 340 378 377 385 384 353 355 357 359 358 356 360 362 380 382 387 389 352 354 371 369 433 373 375 379 381 391 390 386 388 370 368 432 372 397 396 374 392 394 393 395 434 403 402 435 398 400 399 401 436 409 408 437 404 406 405 407 438 415 414 439 410 412 411 413 421 440 420 441 416 427 426 418 417 419 442 422 443 424 428 430 423 450 425 451 429 431 449 454 458 444 459 455 452 457 462 445 463 460 446 453 461 447 474 475 478 479 467 470 465 469 448 456 472 473 476 493 495 492 494 477 466 471 489 491 464 468 506 505 513 512 481 483 485 487 486 484 488 490 508 510 515 517 480 482 499 497 561 501 503 507 509 519 518 514 516 498 496 560 500 525 524 502 520 522 521 523 562 531 530 563 526 528 527 529 564 537 536 565 532 534 533 535 566 543 542 567 538 540 539 541 549 568 548 569 544 555 554 546 545 547 570 550 571 552 556 558 551 2 553 3 557 559 1 6 10 572 11 7 4 9 14 573 15 12 574 5 13 575 26 27 30 31 19 22 17 21 0 8 24 25 28 45 47 44 46 29 18 23 41 43 16 20 58 57 65 64 33 35 37 39 38 36 40 42 60 62 67 69 32 34 51 49 53 55 59 61 66 68 72 74 73 75 50 48 52 54 78 80 79 81 84 86 85 87 90 92 91 93 96 98 97 99 102 104 103 105 108 110 109 111 112 113 136 137 114 115 138 139 118 116 120 122 124 125 148 149 119 117 121 123 126 127 150 151 130 128 132 134 131 129 133 135 142 140 144 146 143 141 145 147 154 162 152 163 156 158 161 166 170 155 171 167 164 169 174 153 175 172 157 165 173 159 186 187 190 191 179 182 177 181 160 168 184 185 188 205 207 204 206 189 178 183 201 203 176 180 218 217 225 224 193 195 197 199 198 196 200 202 220 222 227 229 192 194 211 209 213 215 219 221 226 228 232 234 233 235 210 208 212 214 238 240 239 241 244 246 245 247 250 252 251 253 256 258 257 259 262 264 263 265 268 270 269 271 272 273 296 297 274 275 298 299 278 276 280 282 284 285 308 309 279 277 281 283 286 287 310 311 290 288 292 294 291 289 293 295 302 300 304 306 303 301 305 307 314 312 316 318 315 313 317 319
