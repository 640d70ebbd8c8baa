lea r10, [r9 + 1024]
lea r11, [r9 + 2048]
vmovupd ymm0, ymmword ptr [rdi + 192]
vmovupd ymm1, ymmword ptr [rdi + 704]
vsubpd ymm2, ymm0, ymm1
vmovupd ymm3, ymmword ptr [rdi + 128]
vmovupd ymm4, ymmword ptr [rdi + 640]
vsubpd ymm5, ymm3, ymm4
vmovupd ymm6, ymmword ptr [rdi + 448]
vmovupd ymm7, ymmword ptr [rdi + 960]
vsubpd ymm8, ymm6, ymm7
vmovupd ymm9, ymmword ptr [rdi + 384]
vmovupd ymm10, ymmword ptr [rdi + 896]
vsubpd ymm11, ymm9, ymm10
vmovupd ymm12, ymmword ptr [rdi + 0]
vmovupd ymm13, ymmword ptr [rdi + 512]
vsubpd ymm14, ymm12, ymm13
vmovupd ymm15, ymmword ptr [rdi + 320]
vmovupd ymm9, ymmword ptr [rdi + 832]
vsubpd ymm10, ymm15, ymm9
vaddpd ymm13, ymm12, ymm13
vmovupd ymm12, ymmword ptr [rdi + 256]
vmovupd ymm15, ymmword ptr [rdi + 768]
vaddpd ymm9, ymm12, ymm15
vaddpd ymm1, ymm0, ymm1
vaddpd ymm4, ymm3, ymm4
vaddpd ymm3, ymm5, ymm8
vsubpd ymm8, ymm5, ymm8
vsubpd ymm5, ymm2, ymm11
vaddpd ymm11, ymm2, ymm11
vaddpd ymm7, ymm6, ymm7
vmovupd ymm6, ymmword ptr [rdi + 896]
vaddpd ymm6, ymm6, ymmword ptr [rdi + 384]
vmovupd ymm2, ymmword ptr [rdi + 64]
vmovupd ymm0, ymmword ptr [rdi + 576]
vmovapd ymmword ptr [r11 + 0], ymm4
vsubpd ymm4, ymm2, ymm0
vsubpd ymm15, ymm12, ymm15
vaddpd ymm12, ymm14, ymm10
vsubpd ymm10, ymm14, ymm10
vaddpd ymm14, ymm5, ymm3
vsubpd ymm3, ymm5, ymm3
vsubpd ymm5, ymm11, ymm8
vaddpd ymm8, ymm11, ymm8
vaddpd ymm0, ymm2, ymm0
vmovupd ymm2, ymmword ptr [rdi + 832]
vaddpd ymm2, ymm2, ymmword ptr [rdi + 320]
vaddpd ymm11, ymm13, ymm9
vsubpd ymm9, ymm13, ymm9
vsubpd ymm13, ymm1, ymm7
vaddpd ymm7, ymm1, ymm7
vmovupd ymm1, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm7
vaddpd ymm7, ymm1, ymm6
vsubpd ymm6, ymm1, ymm6
vmovupd ymm1, ymmword ptr [rcx + 32]
vfmadd132pd ymm1, ymm12, ymm14
vfnmadd231pd ymm12, ymm14, ymmword ptr [rcx + 32]
vsubpd ymm14, ymm4, ymm15
vaddpd ymm15, ymm4, ymm15
vmovupd ymm4, ymmword ptr [rcx + 32]
vfmadd132pd ymm4, ymm10, ymm5
vfnmadd231pd ymm10, ymm5, ymmword ptr [rcx + 32]
vaddpd ymm5, ymm0, ymm2
vsubpd ymm2, ymm0, ymm2
vaddpd ymm0, ymm9, ymm13
vsubpd ymm13, ymm9, ymm13
vsubpd ymm9, ymm11, ymm7
vaddpd ymm7, ymm11, ymm7
vmovupd ymm11, ymmword ptr [rcx + 32]
vfmadd132pd ymm11, ymm14, ymm3
vfnmadd231pd ymm14, ymm3, ymmword ptr [rcx + 32]
vmovupd ymm3, ymmword ptr [rcx + 32]
vfnmadd132pd ymm3, ymm15, ymm8
vfmadd231pd ymm15, ymm8, ymmword ptr [rcx + 32]
vmulpd ymm8, ymm1, ymmword ptr [rdx + 64]
vmulpd ymm1, ymm1, ymmword ptr [rdx + 0]
vfmsub231pd ymm8, ymm11, ymmword ptr [rdx + 0]
vfmadd231pd ymm1, ymm11, ymmword ptr [rdx + 64]
vmulpd ymm11, ymm12, ymmword ptr [rdx + 576]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 512]
vfmsub231pd ymm11, ymm14, ymmword ptr [rdx + 512]
vfmadd231pd ymm12, ymm14, ymmword ptr [rdx + 576]
vmulpd ymm14, ymm4, ymmword ptr [rdx + 320]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 256]
vfmsub231pd ymm14, ymm3, ymmword ptr [rdx + 256]
vfmadd231pd ymm4, ymm3, ymmword ptr [rdx + 320]
vmulpd ymm3, ymm10, ymmword ptr [rdx + 832]
vmulpd ymm10, ymm10, ymmword ptr [rdx + 768]
vfmsub231pd ymm3, ymm15, ymmword ptr [rdx + 768]
vfmadd231pd ymm10, ymm15, ymmword ptr [rdx + 832]
vmovupd ymm15, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm12
vsubpd ymm12, ymm5, ymm15
vaddpd ymm15, ymm5, ymm15
vsubpd ymm5, ymm2, ymm6
vaddpd ymm6, ymm2, ymm6
vmulpd ymm2, ymm0, ymmword ptr [rdx + 192]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 128]
vfmsub231pd ymm2, ymm5, ymmword ptr [rdx + 128]
vfmadd231pd ymm0, ymm5, ymmword ptr [rdx + 192]
vmulpd ymm5, ymm13, ymmword ptr [rdx + 704]
vmulpd ymm13, ymm13, ymmword ptr [rdx + 640]
vfmsub231pd ymm5, ymm6, ymmword ptr [rdx + 640]
vfmadd231pd ymm13, ymm6, ymmword ptr [rdx + 704]
vmulpd ymm6, ymm9, ymmword ptr [rdx + 448]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 384]
vfmsub231pd ymm6, ymm12, ymmword ptr [rdx + 384]
vfmadd231pd ymm9, ymm12, ymmword ptr [rdx + 448]
vunpcklpd ymm12, ymm7, ymm1
vunpckhpd ymm1, ymm7, ymm1
vunpcklpd ymm7, ymm15, ymm8
vunpckhpd ymm8, ymm15, ymm8
vunpcklpd ymm15, ymm2, ymm14
vunpckhpd ymm14, ymm2, ymm14
vunpcklpd ymm2, ymm0, ymm4
vunpckhpd ymm4, ymm0, ymm4
vunpcklpd ymm0, ymm5, ymm3
vunpckhpd ymm3, ymm5, ymm3
vperm2f128 ymm5, ymm7, ymm15, 49
vinsertf128 ymm15, ymm7, xmm15, 1
vmovupd ymmword ptr [r10 + 0], ymm15
vmovupd ymmword ptr [r10 + 128], ymm5
vunpcklpd ymm5, ymm13, ymm10
vunpckhpd ymm10, ymm13, ymm10
vunpcklpd ymm13, ymm6, ymm11
vunpckhpd ymm11, ymm6, ymm11
vmovupd ymm6, ymmword ptr [r11 + 0]
vunpcklpd ymm15, ymm9, ymm6
vunpckhpd ymm6, ymm9, ymm6
vperm2f128 ymm9, ymm8, ymm14, 49
vinsertf128 ymm14, ymm8, xmm14, 1
vmovupd ymmword ptr [r10 + 512], ymm14
vmovupd ymmword ptr [r10 + 640], ymm9
vperm2f128 ymm9, ymm12, ymm2, 49
vinsertf128 ymm2, ymm12, xmm2, 1
vmovupd ymmword ptr [r10 + 64], ymm2
vmovupd ymmword ptr [r10 + 192], ymm9
vperm2f128 ymm9, ymm1, ymm4, 49
vinsertf128 ymm4, ymm1, xmm4, 1
vmovupd ymmword ptr [r10 + 576], ymm4
vmovupd ymmword ptr [r10 + 704], ymm9
vperm2f128 ymm9, ymm13, ymm0, 49
vinsertf128 ymm0, ymm13, xmm0, 1
vmovupd ymmword ptr [r10 + 32], ymm0
vmovupd ymmword ptr [r10 + 160], ymm9
vperm2f128 ymm9, ymm11, ymm3, 49
vinsertf128 ymm3, ymm11, xmm3, 1
vmovupd ymmword ptr [r10 + 544], ymm3
vmovupd ymmword ptr [r10 + 672], ymm9
vperm2f128 ymm9, ymm15, ymm5, 49
vinsertf128 ymm5, ymm15, xmm5, 1
vmovupd ymmword ptr [r10 + 96], ymm5
vmovupd ymmword ptr [r10 + 224], ymm9
vperm2f128 ymm9, ymm6, ymm10, 49
vinsertf128 ymm10, ymm6, xmm10, 1
vmovupd ymmword ptr [r10 + 608], ymm10
vmovupd ymmword ptr [r10 + 736], ymm9
vmovupd ymm9, ymmword ptr [rdi + 224]
vmovupd ymm10, ymmword ptr [rdi + 736]
vsubpd ymm6, ymm9, ymm10
vmovupd ymm5, ymmword ptr [rdi + 160]
vmovupd ymm15, ymmword ptr [rdi + 672]
vsubpd ymm3, ymm5, ymm15
vmovupd ymm11, ymmword ptr [rdi + 480]
vmovupd ymm0, ymmword ptr [rdi + 992]
vsubpd ymm13, ymm11, ymm0
vmovupd ymm4, ymmword ptr [rdi + 416]
vmovupd ymm1, ymmword ptr [rdi + 928]
vsubpd ymm2, ymm4, ymm1
vmovupd ymm12, ymmword ptr [rdi + 32]
vmovupd ymm14, ymmword ptr [rdi + 544]
vsubpd ymm8, ymm12, ymm14
vmovupd ymm7, ymmword ptr [rdi + 352]
vmovupd ymm4, ymmword ptr [rdi + 864]
vsubpd ymm1, ymm7, ymm4
vaddpd ymm14, ymm12, ymm14
vmovupd ymm12, ymmword ptr [rdi + 288]
vmovupd ymm7, ymmword ptr [rdi + 800]
vaddpd ymm4, ymm12, ymm7
vaddpd ymm10, ymm9, ymm10
vaddpd ymm15, ymm5, ymm15
vaddpd ymm5, ymm3, ymm13
vsubpd ymm13, ymm3, ymm13
vsubpd ymm3, ymm6, ymm2
vaddpd ymm2, ymm6, ymm2
vaddpd ymm0, ymm11, ymm0
vmovupd ymm11, ymmword ptr [rdi + 928]
vaddpd ymm11, ymm11, ymmword ptr [rdi + 416]
vmovupd ymm6, ymmword ptr [rdi + 96]
vmovupd ymm9, ymmword ptr [rdi + 608]
vmovapd ymmword ptr [r11 + 0], ymm15
vsubpd ymm15, ymm6, ymm9
vsubpd ymm7, ymm12, ymm7
vaddpd ymm12, ymm8, ymm1
vsubpd ymm1, ymm8, ymm1
vaddpd ymm8, ymm3, ymm5
vsubpd ymm5, ymm3, ymm5
vsubpd ymm3, ymm2, ymm13
vaddpd ymm13, ymm2, ymm13
vaddpd ymm9, ymm6, ymm9
vmovupd ymm6, ymmword ptr [rdi + 864]
vaddpd ymm6, ymm6, ymmword ptr [rdi + 352]
vaddpd ymm2, ymm14, ymm4
vsubpd ymm4, ymm14, ymm4
vsubpd ymm14, ymm10, ymm0
vaddpd ymm0, ymm10, ymm0
vmovupd ymm10, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm0
vaddpd ymm0, ymm10, ymm11
vsubpd ymm11, ymm10, ymm11
vsubpd ymm10, ymm15, ymm7
vaddpd ymm7, ymm15, ymm7
vmovupd ymm15, ymmword ptr [rcx + 32]
vfmadd132pd ymm15, ymm12, ymm8
vfnmadd231pd ymm12, ymm8, ymmword ptr [rcx + 32]
vmovupd ymm8, ymmword ptr [rcx + 32]
vfmadd132pd ymm8, ymm1, ymm3
vfnmadd231pd ymm1, ymm3, ymmword ptr [rcx + 32]
vaddpd ymm3, ymm9, ymm6
vsubpd ymm6, ymm9, ymm6
vaddpd ymm9, ymm4, ymm14
vsubpd ymm14, ymm4, ymm14
vsubpd ymm4, ymm2, ymm0
vaddpd ymm0, ymm2, ymm0
vmovupd ymm2, ymmword ptr [rcx + 32]
vfmadd132pd ymm2, ymm10, ymm5
vfnmadd231pd ymm10, ymm5, ymmword ptr [rcx + 32]
vmovupd ymm5, ymmword ptr [rcx + 32]
vfnmadd132pd ymm5, ymm7, ymm13
vfmadd231pd ymm7, ymm13, ymmword ptr [rcx + 32]
vmulpd ymm13, ymm15, ymmword ptr [rdx + 96]
vmulpd ymm15, ymm15, ymmword ptr [rdx + 32]
vfmsub231pd ymm13, ymm2, ymmword ptr [rdx + 32]
vfmadd231pd ymm15, ymm2, ymmword ptr [rdx + 96]
vmulpd ymm2, ymm12, ymmword ptr [rdx + 608]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 544]
vfmsub231pd ymm2, ymm10, ymmword ptr [rdx + 544]
vfmadd231pd ymm12, ymm10, ymmword ptr [rdx + 608]
vmulpd ymm10, ymm8, ymmword ptr [rdx + 352]
vmulpd ymm8, ymm8, ymmword ptr [rdx + 288]
vfmsub231pd ymm10, ymm5, ymmword ptr [rdx + 288]
vfmadd231pd ymm8, ymm5, ymmword ptr [rdx + 352]
vmulpd ymm5, ymm1, ymmword ptr [rdx + 864]
vmulpd ymm1, ymm1, ymmword ptr [rdx + 800]
vfmsub231pd ymm5, ymm7, ymmword ptr [rdx + 800]
vfmadd231pd ymm1, ymm7, ymmword ptr [rdx + 864]
vmovupd ymm7, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm12
vsubpd ymm12, ymm3, ymm7
vaddpd ymm7, ymm3, ymm7
vsubpd ymm3, ymm6, ymm11
vaddpd ymm11, ymm6, ymm11
vmulpd ymm6, ymm9, ymmword ptr [rdx + 224]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 160]
vfmsub231pd ymm6, ymm3, ymmword ptr [rdx + 160]
vfmadd231pd ymm9, ymm3, ymmword ptr [rdx + 224]
vmulpd ymm3, ymm14, ymmword ptr [rdx + 736]
vmulpd ymm14, ymm14, ymmword ptr [rdx + 672]
vfmsub231pd ymm3, ymm11, ymmword ptr [rdx + 672]
vfmadd231pd ymm14, ymm11, ymmword ptr [rdx + 736]
vmulpd ymm11, ymm4, ymmword ptr [rdx + 480]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 416]
vfmsub231pd ymm11, ymm12, ymmword ptr [rdx + 416]
vfmadd231pd ymm4, ymm12, ymmword ptr [rdx + 480]
vunpcklpd ymm12, ymm0, ymm15
vunpckhpd ymm15, ymm0, ymm15
vunpcklpd ymm0, ymm7, ymm13
vunpckhpd ymm13, ymm7, ymm13
vunpcklpd ymm7, ymm6, ymm10
vunpckhpd ymm10, ymm6, ymm10
vunpcklpd ymm6, ymm9, ymm8
vunpckhpd ymm8, ymm9, ymm8
vunpcklpd ymm9, ymm3, ymm5
vunpckhpd ymm5, ymm3, ymm5
vperm2f128 ymm3, ymm0, ymm7, 49
vinsertf128 ymm7, ymm0, xmm7, 1
vmovupd ymmword ptr [r10 + 256], ymm7
vmovupd ymmword ptr [r10 + 384], ymm3
vunpcklpd ymm3, ymm14, ymm1
vunpckhpd ymm1, ymm14, ymm1
vunpcklpd ymm14, ymm11, ymm2
vunpckhpd ymm2, ymm11, ymm2
vmovupd ymm11, ymmword ptr [r11 + 0]
vunpcklpd ymm7, ymm4, ymm11
vunpckhpd ymm11, ymm4, ymm11
vperm2f128 ymm4, ymm13, ymm10, 49
vinsertf128 ymm10, ymm13, xmm10, 1
vmovupd ymmword ptr [r10 + 768], ymm10
vmovupd ymmword ptr [r10 + 896], ymm4
vperm2f128 ymm4, ymm12, ymm6, 49
vinsertf128 ymm6, ymm12, xmm6, 1
vmovupd ymmword ptr [r10 + 320], ymm6
vmovupd ymmword ptr [r10 + 448], ymm4
vperm2f128 ymm4, ymm15, ymm8, 49
vinsertf128 ymm8, ymm15, xmm8, 1
vmovupd ymmword ptr [r10 + 832], ymm8
vmovupd ymmword ptr [r10 + 960], ymm4
vperm2f128 ymm4, ymm14, ymm9, 49
vinsertf128 ymm9, ymm14, xmm9, 1
vmovupd ymmword ptr [r10 + 288], ymm9
vmovupd ymmword ptr [r10 + 416], ymm4
vperm2f128 ymm4, ymm2, ymm5, 49
vinsertf128 ymm5, ymm2, xmm5, 1
vmovupd ymmword ptr [r10 + 800], ymm5
vmovupd ymmword ptr [r10 + 928], ymm4
vperm2f128 ymm4, ymm7, ymm3, 49
vinsertf128 ymm3, ymm7, xmm3, 1
vmovupd ymmword ptr [r10 + 352], ymm3
vmovupd ymmword ptr [r10 + 480], ymm4
vperm2f128 ymm4, ymm11, ymm1, 49
vinsertf128 ymm1, ymm11, xmm1, 1
vmovupd ymmword ptr [r10 + 864], ymm1
vmovupd ymmword ptr [r10 + 992], ymm4
add rdx, 896
add rdi, 1024
xchg r9, r10
dec r8
jz 3f
2:
vmovupd ymm0, ymmword ptr [rdi + 192]
vmovupd ymm1, ymmword ptr [rdi + 704]
vsubpd ymm2, ymm0, ymm1
vmovupd ymm3, ymmword ptr [rdi + 128]
vmovupd ymm4, ymmword ptr [rdi + 640]
vsubpd ymm5, ymm3, ymm4
vmovupd ymm6, ymmword ptr [rdi + 448]
vmovupd ymm7, ymmword ptr [rdi + 960]
vsubpd ymm8, ymm6, ymm7
vmovupd ymm9, ymmword ptr [rdi + 384]
vmovupd ymm10, ymmword ptr [rdi + 896]
vsubpd ymm11, ymm9, ymm10
vmovupd ymm12, ymmword ptr [rdi + 0]
vmovupd ymm13, ymmword ptr [rdi + 512]
vsubpd ymm14, ymm12, ymm13
vmovupd ymm15, ymmword ptr [rdi + 320]
vmovupd ymm9, ymmword ptr [rdi + 832]
vsubpd ymm10, ymm15, ymm9
vaddpd ymm13, ymm12, ymm13
vmovupd ymm12, ymmword ptr [rdi + 256]
vmovupd ymm15, ymmword ptr [rdi + 768]
vaddpd ymm9, ymm12, ymm15
vaddpd ymm1, ymm0, ymm1
vaddpd ymm4, ymm3, ymm4
vaddpd ymm3, ymm5, ymm8
vsubpd ymm8, ymm5, ymm8
vsubpd ymm5, ymm2, ymm11
vaddpd ymm11, ymm2, ymm11
vaddpd ymm7, ymm6, ymm7
vmovupd ymm6, ymmword ptr [rdi + 896]
vaddpd ymm6, ymm6, ymmword ptr [rdi + 384]
vmovupd ymm2, ymmword ptr [rdi + 64]
vmovupd ymm0, ymmword ptr [rdi + 576]
vmovapd ymmword ptr [r11 + 0], ymm4
vsubpd ymm4, ymm2, ymm0
vsubpd ymm15, ymm12, ymm15
vaddpd ymm12, ymm14, ymm10
vsubpd ymm10, ymm14, ymm10
vaddpd ymm14, ymm5, ymm3
vsubpd ymm3, ymm5, ymm3
vsubpd ymm5, ymm11, ymm8
vaddpd ymm8, ymm11, ymm8
vaddpd ymm0, ymm2, ymm0
vmovupd ymm2, ymmword ptr [rdi + 832]
vaddpd ymm2, ymm2, ymmword ptr [rdi + 320]
vaddpd ymm11, ymm13, ymm9
vsubpd ymm9, ymm13, ymm9
vsubpd ymm13, ymm1, ymm7
vaddpd ymm7, ymm1, ymm7
vmovupd ymm1, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm7
vaddpd ymm7, ymm1, ymm6
vsubpd ymm6, ymm1, ymm6
vmovupd ymm1, ymmword ptr [rcx + 32]
vfmadd132pd ymm1, ymm12, ymm14
vfnmadd231pd ymm12, ymm14, ymmword ptr [rcx + 32]
vsubpd ymm14, ymm4, ymm15
vaddpd ymm15, ymm4, ymm15
vmovupd ymm4, ymmword ptr [rcx + 32]
vfmadd132pd ymm4, ymm10, ymm5
vfnmadd231pd ymm10, ymm5, ymmword ptr [rcx + 32]
vaddpd ymm5, ymm0, ymm2
vsubpd ymm2, ymm0, ymm2
vaddpd ymm0, ymm9, ymm13
vsubpd ymm13, ymm9, ymm13
vsubpd ymm9, ymm11, ymm7
vaddpd ymm7, ymm11, ymm7
vmovupd ymm11, ymmword ptr [rcx + 32]
vfmadd132pd ymm11, ymm14, ymm3
vfnmadd231pd ymm14, ymm3, ymmword ptr [rcx + 32]
vmovupd ymm3, ymmword ptr [rcx + 32]
vfnmadd132pd ymm3, ymm15, ymm8
vfmadd231pd ymm15, ymm8, ymmword ptr [rcx + 32]
vmulpd ymm8, ymm1, ymmword ptr [rdx + 64]
vmulpd ymm1, ymm1, ymmword ptr [rdx + 0]
vfmsub231pd ymm8, ymm11, ymmword ptr [rdx + 0]
vfmadd231pd ymm1, ymm11, ymmword ptr [rdx + 64]
vmulpd ymm11, ymm12, ymmword ptr [rdx + 576]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 512]
vfmsub231pd ymm11, ymm14, ymmword ptr [rdx + 512]
vfmadd231pd ymm12, ymm14, ymmword ptr [rdx + 576]
vmulpd ymm14, ymm4, ymmword ptr [rdx + 320]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 256]
vfmsub231pd ymm14, ymm3, ymmword ptr [rdx + 256]
vfmadd231pd ymm4, ymm3, ymmword ptr [rdx + 320]
vmulpd ymm3, ymm10, ymmword ptr [rdx + 832]
vmulpd ymm10, ymm10, ymmword ptr [rdx + 768]
vfmsub231pd ymm3, ymm15, ymmword ptr [rdx + 768]
vfmadd231pd ymm10, ymm15, ymmword ptr [rdx + 832]
vmovupd ymm15, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm12
vsubpd ymm12, ymm5, ymm15
vaddpd ymm15, ymm5, ymm15
vsubpd ymm5, ymm2, ymm6
vaddpd ymm6, ymm2, ymm6
vmulpd ymm2, ymm0, ymmword ptr [rdx + 192]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 128]
vfmsub231pd ymm2, ymm5, ymmword ptr [rdx + 128]
vfmadd231pd ymm0, ymm5, ymmword ptr [rdx + 192]
vmulpd ymm5, ymm13, ymmword ptr [rdx + 704]
vmulpd ymm13, ymm13, ymmword ptr [rdx + 640]
vfmsub231pd ymm5, ymm6, ymmword ptr [rdx + 640]
vfmadd231pd ymm13, ymm6, ymmword ptr [rdx + 704]
vmulpd ymm6, ymm9, ymmword ptr [rdx + 448]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 384]
vfmsub231pd ymm6, ymm12, ymmword ptr [rdx + 384]
vfmadd231pd ymm9, ymm12, ymmword ptr [rdx + 448]
vunpcklpd ymm12, ymm7, ymm1
vunpckhpd ymm1, ymm7, ymm1
vunpcklpd ymm7, ymm15, ymm8
vunpckhpd ymm8, ymm15, ymm8
vunpcklpd ymm15, ymm2, ymm14
vunpckhpd ymm14, ymm2, ymm14
vunpcklpd ymm2, ymm0, ymm4
vunpckhpd ymm4, ymm0, ymm4
vunpcklpd ymm0, ymm5, ymm3
vunpckhpd ymm3, ymm5, ymm3
vperm2f128 ymm5, ymm7, ymm15, 49
vinsertf128 ymm15, ymm7, xmm15, 1
vmovupd ymmword ptr [r10 + 0], ymm15
vmovupd ymmword ptr [r10 + 128], ymm5
vunpcklpd ymm5, ymm13, ymm10
vunpckhpd ymm10, ymm13, ymm10
vunpcklpd ymm13, ymm6, ymm11
vunpckhpd ymm11, ymm6, ymm11
vmovupd ymm6, ymmword ptr [r11 + 0]
vunpcklpd ymm15, ymm9, ymm6
vunpckhpd ymm6, ymm9, ymm6
vperm2f128 ymm9, ymm8, ymm14, 49
vinsertf128 ymm14, ymm8, xmm14, 1
vmovupd ymmword ptr [r10 + 512], ymm14
vmovupd ymmword ptr [r10 + 640], ymm9
vperm2f128 ymm9, ymm12, ymm2, 49
vinsertf128 ymm2, ymm12, xmm2, 1
vmovupd ymmword ptr [r10 + 64], ymm2
vmovupd ymmword ptr [r10 + 192], ymm9
vperm2f128 ymm9, ymm1, ymm4, 49
vinsertf128 ymm4, ymm1, xmm4, 1
vmovupd ymmword ptr [r10 + 576], ymm4
vmovupd ymmword ptr [r10 + 704], ymm9
vperm2f128 ymm9, ymm13, ymm0, 49
vinsertf128 ymm0, ymm13, xmm0, 1
vmovupd ymmword ptr [r10 + 32], ymm0
vmovupd ymmword ptr [r10 + 160], ymm9
vperm2f128 ymm9, ymm11, ymm3, 49
vinsertf128 ymm3, ymm11, xmm3, 1
vmovupd ymmword ptr [r10 + 544], ymm3
vmovupd ymmword ptr [r10 + 672], ymm9
vperm2f128 ymm9, ymm15, ymm5, 49
vinsertf128 ymm5, ymm15, xmm5, 1
vmovupd ymmword ptr [r10 + 96], ymm5
vmovupd ymmword ptr [r10 + 224], ymm9
vperm2f128 ymm9, ymm6, ymm10, 49
vinsertf128 ymm10, ymm6, xmm10, 1
vmovupd ymmword ptr [r10 + 608], ymm10
vmovupd ymmword ptr [r10 + 736], ymm9
vmovupd ymm9, ymmword ptr [r9 + 160]
vsubpd ymm10, ymm9, ymmword ptr [r9 + 672]
vmovupd ymm6, ymmword ptr [r9 + 224]
vsubpd ymm5, ymm6, ymmword ptr [r9 + 736]
vmovupd ymm15, ymmword ptr [r9 + 416]
vsubpd ymm3, ymm15, ymmword ptr [r9 + 928]
vmovupd ymm11, ymmword ptr [r9 + 480]
vsubpd ymm0, ymm11, ymmword ptr [r9 + 992]
vmovupd ymm13, ymmword ptr [r9 + 96]
vsubpd ymm4, ymm13, ymmword ptr [r9 + 608]
vmovupd ymm1, ymmword ptr [r9 + 288]
vsubpd ymm2, ymm1, ymmword ptr [r9 + 800]
vaddpd ymm13, ymm13, ymmword ptr [r9 + 608]
vmovupd ymm12, ymmword ptr [r9 + 864]
vaddpd ymm14, ymm12, ymmword ptr [r9 + 352]
vaddpd ymm9, ymm9, ymmword ptr [r9 + 672]
vaddpd ymm6, ymm6, ymmword ptr [r9 + 736]
vaddpd ymm8, ymm5, ymm3
vsubpd ymm3, ymm5, ymm3
vsubpd ymm5, ymm10, ymm0
vaddpd ymm0, ymm10, ymm0
vaddpd ymm15, ymm15, ymmword ptr [r9 + 928]
vaddpd ymm11, ymm11, ymmword ptr [r9 + 992]
vmovupd ymm10, ymmword ptr [r9 + 32]
vsubpd ymm7, ymm10, ymmword ptr [r9 + 544]
vmovupd ymm1, ymmword ptr [r9 + 352]
vsubpd ymm12, ymm1, ymm12
vaddpd ymm1, ymm4, ymm2
vsubpd ymm2, ymm4, ymm2
vaddpd ymm4, ymm5, ymm8
vsubpd ymm8, ymm5, ymm8
vsubpd ymm5, ymm0, ymm3
vaddpd ymm3, ymm0, ymm3
vaddpd ymm10, ymm10, ymmword ptr [r9 + 544]
vmovupd ymm0, ymmword ptr [r9 + 800]
vaddpd ymm0, ymm0, ymmword ptr [r9 + 288]
vmovapd ymmword ptr [r11 + 0], ymm3
vaddpd ymm3, ymm13, ymm14
vsubpd ymm14, ymm13, ymm14
vsubpd ymm13, ymm9, ymm15
vaddpd ymm15, ymm9, ymm15
vaddpd ymm9, ymm6, ymm11
vsubpd ymm11, ymm6, ymm11
vsubpd ymm6, ymm7, ymm12
vaddpd ymm12, ymm7, ymm12
vmovupd ymm7, ymmword ptr [rcx + 32]
vfmadd132pd ymm7, ymm1, ymm4
vfnmadd231pd ymm1, ymm4, ymmword ptr [rcx + 32]
vmovupd ymm4, ymmword ptr [rcx + 32]
vfmadd132pd ymm4, ymm2, ymm5
vfnmadd231pd ymm2, ymm5, ymmword ptr [rcx + 32]
vaddpd ymm5, ymm10, ymm0
vsubpd ymm0, ymm10, ymm0
vaddpd ymm10, ymm14, ymm13
vsubpd ymm13, ymm14, ymm13
vsubpd ymm14, ymm3, ymm9
vaddpd ymm9, ymm3, ymm9
vmovupd ymmword ptr [rdi - 992], ymm9
vmovupd ymm9, ymmword ptr [rcx + 32]
vfmadd132pd ymm9, ymm6, ymm8
vfnmadd231pd ymm6, ymm8, ymmword ptr [rcx + 32]
vmovupd ymm8, ymmword ptr [r11 + 0]
vmovupd ymm3, ymmword ptr [rcx + 32]
vfnmadd132pd ymm3, ymm12, ymm8
vfmadd231pd ymm12, ymm8, ymmword ptr [rcx + 32]
vbroadcastsd ymm8, qword ptr [rsi + 8]
vmovapd ymmword ptr [r11 + 0], ymm14
vmulpd ymm14, ymm7, ymm8
vmovapd ymmword ptr [r11 + 32], ymm13
vbroadcastsd ymm13, qword ptr [rsi + 0]
vmulpd ymm7, ymm7, ymm13
vfmsub231pd ymm14, ymm9, ymm13
vfmadd231pd ymm7, ymm9, ymm8
vmovupd ymmword ptr [rdi - 800], ymm14
vmovupd ymmword ptr [rdi - 864], ymm7
vbroadcastsd ymm7, qword ptr [rsi + 72]
vmulpd ymm14, ymm1, ymm7
vbroadcastsd ymm8, qword ptr [rsi + 64]
vmulpd ymm1, ymm1, ymm8
vfmsub231pd ymm14, ymm6, ymm8
vfmadd231pd ymm1, ymm6, ymm7
vmovupd ymmword ptr [rdi - 288], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 40]
vmulpd ymm7, ymm4, ymm14
vmovupd ymmword ptr [rdi - 352], ymm1
vbroadcastsd ymm1, qword ptr [rsi + 32]
vmulpd ymm4, ymm4, ymm1
vfmsub231pd ymm7, ymm3, ymm1
vfmadd231pd ymm4, ymm3, ymm14
vbroadcastsd ymm14, qword ptr [rsi + 104]
vmulpd ymm3, ymm2, ymm14
vbroadcastsd ymm1, qword ptr [rsi + 96]
vmulpd ymm2, ymm2, ymm1
vsubpd ymm6, ymm5, ymm15
vaddpd ymm15, ymm5, ymm15
vmovupd ymmword ptr [rdi - 928], ymm15
vfmsub231pd ymm3, ymm12, ymm1
vfmadd231pd ymm2, ymm12, ymm14
vmovupd ymmword ptr [rdi - 544], ymm7
vmovupd ymmword ptr [rdi - 608], ymm4
vsubpd ymm4, ymm0, ymm11
vaddpd ymm11, ymm0, ymm11
vmovupd ymmword ptr [rdi - 32], ymm3
vmovupd ymmword ptr [rdi - 96], ymm2
vbroadcastsd ymm2, qword ptr [rsi + 24]
vmulpd ymm3, ymm10, ymm2
vbroadcastsd ymm0, qword ptr [rsi + 16]
vmulpd ymm10, ymm10, ymm0
vbroadcastsd ymm7, qword ptr [rsi + 88]
vmovupd ymm14, ymmword ptr [r11 + 32]
vmulpd ymm12, ymm14, ymm7
vbroadcastsd ymm1, qword ptr [rsi + 80]
vmulpd ymm14, ymm14, ymm1
vfmsub231pd ymm3, ymm4, ymm0
vfmadd231pd ymm10, ymm4, ymm2
vfmsub231pd ymm12, ymm11, ymm1
vfmadd231pd ymm14, ymm11, ymm7
vbroadcastsd ymm7, qword ptr [rsi + 56]
vmovupd ymm11, ymmword ptr [r11 + 0]
vmulpd ymm1, ymm11, ymm7
vbroadcastsd ymm2, qword ptr [rsi + 48]
vmulpd ymm11, ymm11, ymm2
vmovupd ymmword ptr [rdi - 672], ymm3
vfmsub231pd ymm1, ymm6, ymm2
vfmadd231pd ymm11, ymm6, ymm7
vmovupd ymmword ptr [rdi - 736], ymm10
vmovupd ymmword ptr [rdi - 160], ymm12
vmovupd ymmword ptr [rdi - 224], ymm14
vmovupd ymmword ptr [rdi - 416], ymm1
vmovupd ymmword ptr [rdi - 480], ymm11
vmovupd ymm11, ymmword ptr [rdi + 224]
vmovupd ymm1, ymmword ptr [rdi + 736]
vsubpd ymm14, ymm11, ymm1
vmovupd ymm12, ymmword ptr [rdi + 160]
vmovupd ymm10, ymmword ptr [rdi + 672]
vsubpd ymm7, ymm12, ymm10
vmovupd ymm6, ymmword ptr [rdi + 480]
vmovupd ymm2, ymmword ptr [rdi + 992]
vsubpd ymm3, ymm6, ymm2
vmovupd ymm4, ymmword ptr [rdi + 416]
vmovupd ymm0, ymmword ptr [rdi + 928]
vsubpd ymm15, ymm4, ymm0
vmovupd ymm5, ymmword ptr [rdi + 32]
vmovupd ymm8, ymmword ptr [rdi + 544]
vsubpd ymm9, ymm5, ymm8
vmovupd ymm13, ymmword ptr [rdi + 352]
vmovupd ymm4, ymmword ptr [rdi + 864]
vsubpd ymm0, ymm13, ymm4
vaddpd ymm8, ymm5, ymm8
vmovupd ymm5, ymmword ptr [rdi + 288]
vmovupd ymm13, ymmword ptr [rdi + 800]
vaddpd ymm4, ymm5, ymm13
vaddpd ymm1, ymm11, ymm1
vaddpd ymm10, ymm12, ymm10
vaddpd ymm12, ymm7, ymm3
vsubpd ymm3, ymm7, ymm3
vsubpd ymm7, ymm14, ymm15
vaddpd ymm15, ymm14, ymm15
vaddpd ymm2, ymm6, ymm2
vmovupd ymm6, ymmword ptr [rdi + 928]
vaddpd ymm6, ymm6, ymmword ptr [rdi + 416]
vmovupd ymm14, ymmword ptr [rdi + 96]
vmovupd ymm11, ymmword ptr [rdi + 608]
vmovapd ymmword ptr [r11 + 0], ymm10
vsubpd ymm10, ymm14, ymm11
vsubpd ymm13, ymm5, ymm13
vaddpd ymm5, ymm9, ymm0
vsubpd ymm0, ymm9, ymm0
vaddpd ymm9, ymm7, ymm12
vsubpd ymm12, ymm7, ymm12
vsubpd ymm7, ymm15, ymm3
vaddpd ymm3, ymm15, ymm3
vaddpd ymm11, ymm14, ymm11
vmovupd ymm14, ymmword ptr [rdi + 864]
vaddpd ymm14, ymm14, ymmword ptr [rdi + 352]
vaddpd ymm15, ymm8, ymm4
vsubpd ymm4, ymm8, ymm4
vsubpd ymm8, ymm1, ymm2
vaddpd ymm2, ymm1, ymm2
vmovupd ymm1, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 32], ymm2
vaddpd ymm2, ymm1, ymm6
vsubpd ymm6, ymm1, ymm6
vsubpd ymm1, ymm10, ymm13
vaddpd ymm13, ymm10, ymm13
vmovupd ymm10, ymmword ptr [rcx + 32]
vfmadd132pd ymm10, ymm5, ymm9
vfnmadd231pd ymm5, ymm9, ymmword ptr [rcx + 32]
vmovupd ymm9, ymmword ptr [rcx + 32]
vfmadd132pd ymm9, ymm0, ymm7
vfnmadd231pd ymm0, ymm7, ymmword ptr [rcx + 32]
vaddpd ymm7, ymm11, ymm14
vsubpd ymm14, ymm11, ymm14
vaddpd ymm11, ymm4, ymm8
vsubpd ymm8, ymm4, ymm8
vsubpd ymm4, ymm15, ymm2
vaddpd ymm2, ymm15, ymm2
vmovupd ymm15, ymmword ptr [rcx + 32]
vfmadd132pd ymm15, ymm1, ymm12
vfnmadd231pd ymm1, ymm12, ymmword ptr [rcx + 32]
vmovupd ymm12, ymmword ptr [rcx + 32]
vfnmadd132pd ymm12, ymm13, ymm3
vfmadd231pd ymm13, ymm3, ymmword ptr [rcx + 32]
vmulpd ymm3, ymm10, ymmword ptr [rdx + 96]
vmulpd ymm10, ymm10, ymmword ptr [rdx + 32]
vfmsub231pd ymm3, ymm15, ymmword ptr [rdx + 32]
vfmadd231pd ymm10, ymm15, ymmword ptr [rdx + 96]
vmulpd ymm15, ymm5, ymmword ptr [rdx + 608]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 544]
vfmsub231pd ymm15, ymm1, ymmword ptr [rdx + 544]
vfmadd231pd ymm5, ymm1, ymmword ptr [rdx + 608]
vmulpd ymm1, ymm9, ymmword ptr [rdx + 352]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 288]
vfmsub231pd ymm1, ymm12, ymmword ptr [rdx + 288]
vfmadd231pd ymm9, ymm12, ymmword ptr [rdx + 352]
vmulpd ymm12, ymm0, ymmword ptr [rdx + 864]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 800]
vfmsub231pd ymm12, ymm13, ymmword ptr [rdx + 800]
vfmadd231pd ymm0, ymm13, ymmword ptr [rdx + 864]
vmovupd ymm13, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 0], ymm5
vsubpd ymm5, ymm7, ymm13
vaddpd ymm13, ymm7, ymm13
vsubpd ymm7, ymm14, ymm6
vaddpd ymm6, ymm14, ymm6
vmulpd ymm14, ymm11, ymmword ptr [rdx + 224]
vmulpd ymm11, ymm11, ymmword ptr [rdx + 160]
vfmsub231pd ymm14, ymm7, ymmword ptr [rdx + 160]
vfmadd231pd ymm11, ymm7, ymmword ptr [rdx + 224]
vmulpd ymm7, ymm8, ymmword ptr [rdx + 736]
vmulpd ymm8, ymm8, ymmword ptr [rdx + 672]
vfmsub231pd ymm7, ymm6, ymmword ptr [rdx + 672]
vfmadd231pd ymm8, ymm6, ymmword ptr [rdx + 736]
vmulpd ymm6, ymm4, ymmword ptr [rdx + 480]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 416]
vfmsub231pd ymm6, ymm5, ymmword ptr [rdx + 416]
vfmadd231pd ymm4, ymm5, ymmword ptr [rdx + 480]
vunpcklpd ymm5, ymm2, ymm10
vunpckhpd ymm10, ymm2, ymm10
vunpcklpd ymm2, ymm13, ymm3
vunpckhpd ymm3, ymm13, ymm3
vunpcklpd ymm13, ymm14, ymm1
vunpckhpd ymm1, ymm14, ymm1
vunpcklpd ymm14, ymm11, ymm9
vunpckhpd ymm9, ymm11, ymm9
vunpcklpd ymm11, ymm7, ymm12
vunpckhpd ymm12, ymm7, ymm12
vperm2f128 ymm7, ymm2, ymm13, 49
vinsertf128 ymm13, ymm2, xmm13, 1
vmovupd ymmword ptr [r10 + 256], ymm13
vmovupd ymmword ptr [r10 + 384], ymm7
vunpcklpd ymm7, ymm8, ymm0
vunpckhpd ymm0, ymm8, ymm0
vunpcklpd ymm8, ymm6, ymm15
vunpckhpd ymm15, ymm6, ymm15
vmovupd ymm6, ymmword ptr [r11 + 0]
vunpcklpd ymm13, ymm4, ymm6
vunpckhpd ymm6, ymm4, ymm6
vperm2f128 ymm4, ymm3, ymm1, 49
vinsertf128 ymm1, ymm3, xmm1, 1
vmovupd ymmword ptr [r10 + 768], ymm1
vmovupd ymmword ptr [r10 + 896], ymm4
vperm2f128 ymm4, ymm5, ymm14, 49
vinsertf128 ymm14, ymm5, xmm14, 1
vmovupd ymmword ptr [r10 + 320], ymm14
vmovupd ymmword ptr [r10 + 448], ymm4
vperm2f128 ymm4, ymm10, ymm9, 49
vinsertf128 ymm9, ymm10, xmm9, 1
vmovupd ymmword ptr [r10 + 832], ymm9
vmovupd ymmword ptr [r10 + 960], ymm4
vperm2f128 ymm4, ymm8, ymm11, 49
vinsertf128 ymm11, ymm8, xmm11, 1
vmovupd ymmword ptr [r10 + 288], ymm11
vmovupd ymmword ptr [r10 + 416], ymm4
vperm2f128 ymm4, ymm15, ymm12, 49
vinsertf128 ymm12, ymm15, xmm12, 1
vmovupd ymmword ptr [r10 + 800], ymm12
vmovupd ymmword ptr [r10 + 928], ymm4
vperm2f128 ymm4, ymm13, ymm7, 49
vinsertf128 ymm7, ymm13, xmm7, 1
vmovupd ymmword ptr [r10 + 352], ymm7
vmovupd ymmword ptr [r10 + 480], ymm4
vperm2f128 ymm4, ymm6, ymm0, 49
vinsertf128 ymm0, ymm6, xmm0, 1
vmovupd ymmword ptr [r10 + 864], ymm0
vmovupd ymmword ptr [r10 + 992], ymm4
vmovupd ymm4, ymmword ptr [r9 + 128]
vsubpd ymm0, ymm4, ymmword ptr [r9 + 640]
vmovupd ymm6, ymmword ptr [r9 + 192]
vsubpd ymm7, ymm6, ymmword ptr [r9 + 704]
vmovupd ymm13, ymmword ptr [r9 + 384]
vsubpd ymm12, ymm13, ymmword ptr [r9 + 896]
vmovupd ymm15, ymmword ptr [r9 + 448]
vsubpd ymm11, ymm15, ymmword ptr [r9 + 960]
vmovupd ymm8, ymmword ptr [r9 + 64]
vsubpd ymm9, ymm8, ymmword ptr [r9 + 576]
vmovupd ymm10, ymmword ptr [r9 + 256]
vsubpd ymm14, ymm10, ymmword ptr [r9 + 768]
vaddpd ymm8, ymm8, ymmword ptr [r9 + 576]
vmovupd ymm5, ymmword ptr [r9 + 832]
vaddpd ymm1, ymm5, ymmword ptr [r9 + 320]
vaddpd ymm4, ymm4, ymmword ptr [r9 + 640]
vaddpd ymm6, ymm6, ymmword ptr [r9 + 704]
vaddpd ymm3, ymm7, ymm12
vsubpd ymm12, ymm7, ymm12
vsubpd ymm7, ymm0, ymm11
vaddpd ymm11, ymm0, ymm11
vaddpd ymm13, ymm13, ymmword ptr [r9 + 896]
vaddpd ymm15, ymm15, ymmword ptr [r9 + 960]
vmovupd ymm0, ymmword ptr [r9 + 0]
vsubpd ymm2, ymm0, ymmword ptr [r9 + 512]
vmovupd ymm10, ymmword ptr [r9 + 320]
vsubpd ymm5, ymm10, ymm5
vaddpd ymm10, ymm9, ymm14
vsubpd ymm14, ymm9, ymm14
vaddpd ymm9, ymm7, ymm3
vsubpd ymm3, ymm7, ymm3
vsubpd ymm7, ymm11, ymm12
vaddpd ymm12, ymm11, ymm12
vaddpd ymm0, ymm0, ymmword ptr [r9 + 512]
vmovupd ymm11, ymmword ptr [r9 + 768]
vaddpd ymm11, ymm11, ymmword ptr [r9 + 256]
vmovapd ymmword ptr [r11 + 0], ymm12
vaddpd ymm12, ymm8, ymm1
vsubpd ymm1, ymm8, ymm1
vsubpd ymm8, ymm4, ymm13
vaddpd ymm13, ymm4, ymm13
vaddpd ymm4, ymm6, ymm15
vsubpd ymm15, ymm6, ymm15
vsubpd ymm6, ymm2, ymm5
vaddpd ymm5, ymm2, ymm5
vmovupd ymm2, ymmword ptr [rcx + 32]
vfmadd132pd ymm2, ymm10, ymm9
vfnmadd231pd ymm10, ymm9, ymmword ptr [rcx + 32]
vmovupd ymm9, ymmword ptr [rcx + 32]
vfmadd132pd ymm9, ymm14, ymm7
vfnmadd231pd ymm14, ymm7, ymmword ptr [rcx + 32]
vaddpd ymm7, ymm0, ymm11
vsubpd ymm11, ymm0, ymm11
vaddpd ymm0, ymm1, ymm8
vsubpd ymm8, ymm1, ymm8
vsubpd ymm1, ymm12, ymm4
vaddpd ymm4, ymm12, ymm4
vmovupd ymmword ptr [rdi - 1024], ymm4
vmovupd ymm4, ymmword ptr [rcx + 32]
vfmadd132pd ymm4, ymm6, ymm3
vfnmadd231pd ymm6, ymm3, ymmword ptr [rcx + 32]
vmovupd ymm3, ymmword ptr [r11 + 0]
vmovupd ymm12, ymmword ptr [rcx + 32]
vfnmadd132pd ymm12, ymm5, ymm3
vfmadd231pd ymm5, ymm3, ymmword ptr [rcx + 32]
vbroadcastsd ymm3, qword ptr [rsi + 8]
vmovapd ymmword ptr [r11 + 0], ymm1
vmulpd ymm1, ymm2, ymm3
vmovapd ymmword ptr [r11 + 32], ymm8
vbroadcastsd ymm8, qword ptr [rsi + 0]
vmulpd ymm2, ymm2, ymm8
vfmsub231pd ymm1, ymm4, ymm8
vfmadd231pd ymm2, ymm4, ymm3
vmovupd ymmword ptr [rdi - 832], ymm1
vmovupd ymmword ptr [rdi - 896], ymm2
vbroadcastsd ymm2, qword ptr [rsi + 72]
vmulpd ymm1, ymm10, ymm2
vbroadcastsd ymm3, qword ptr [rsi + 64]
vmulpd ymm10, ymm10, ymm3
vfmsub231pd ymm1, ymm6, ymm3
vfmadd231pd ymm10, ymm6, ymm2
vmovupd ymmword ptr [rdi - 320], ymm1
vbroadcastsd ymm1, qword ptr [rsi + 40]
vmulpd ymm2, ymm9, ymm1
vmovupd ymmword ptr [rdi - 384], ymm10
vbroadcastsd ymm10, qword ptr [rsi + 32]
vmulpd ymm9, ymm9, ymm10
vfmsub231pd ymm2, ymm12, ymm10
vfmadd231pd ymm9, ymm12, ymm1
vbroadcastsd ymm1, qword ptr [rsi + 104]
vmulpd ymm12, ymm14, ymm1
vbroadcastsd ymm10, qword ptr [rsi + 96]
vmulpd ymm14, ymm14, ymm10
vsubpd ymm6, ymm7, ymm13
vaddpd ymm13, ymm7, ymm13
vmovupd ymmword ptr [rdi - 960], ymm13
vfmsub231pd ymm12, ymm5, ymm10
vfmadd231pd ymm14, ymm5, ymm1
vmovupd ymmword ptr [rdi - 576], ymm2
vmovupd ymmword ptr [rdi - 640], ymm9
vsubpd ymm9, ymm11, ymm15
vaddpd ymm15, ymm11, ymm15
vmovupd ymmword ptr [rdi - 64], ymm12
vmovupd ymmword ptr [rdi - 128], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 24]
vmulpd ymm12, ymm0, ymm14
vbroadcastsd ymm11, qword ptr [rsi + 16]
vmulpd ymm0, ymm0, ymm11
vbroadcastsd ymm2, qword ptr [rsi + 88]
vmovupd ymm1, ymmword ptr [r11 + 32]
vmulpd ymm5, ymm1, ymm2
vbroadcastsd ymm10, qword ptr [rsi + 80]
vmulpd ymm1, ymm1, ymm10
vfmsub231pd ymm12, ymm9, ymm11
vfmadd231pd ymm0, ymm9, ymm14
vfmsub231pd ymm5, ymm15, ymm10
vfmadd231pd ymm1, ymm15, ymm2
vbroadcastsd ymm2, qword ptr [rsi + 56]
vmovupd ymm15, ymmword ptr [r11 + 0]
vmulpd ymm10, ymm15, ymm2
vbroadcastsd ymm14, qword ptr [rsi + 48]
vmulpd ymm15, ymm15, ymm14
vmovupd ymmword ptr [rdi - 704], ymm12
vfmsub231pd ymm10, ymm6, ymm14
vfmadd231pd ymm15, ymm6, ymm2
vmovupd ymmword ptr [rdi - 768], ymm0
vmovupd ymmword ptr [rdi - 192], ymm5
vmovupd ymmword ptr [rdi - 256], ymm1
vmovupd ymmword ptr [rdi - 448], ymm10
vmovupd ymmword ptr [rdi - 512], ymm15
add rdx, 896
add rsi, 112
add rdi, 1024
xchg r9, r10
dec r8
jnz 2b
3:
vmovupd ymm0, ymmword ptr [r9 + 160]
vsubpd ymm1, ymm0, ymmword ptr [r9 + 672]
vmovupd ymm2, ymmword ptr [r9 + 224]
vsubpd ymm3, ymm2, ymmword ptr [r9 + 736]
vmovupd ymm4, ymmword ptr [r9 + 416]
vsubpd ymm5, ymm4, ymmword ptr [r9 + 928]
vmovupd ymm6, ymmword ptr [r9 + 480]
vsubpd ymm7, ymm6, ymmword ptr [r9 + 992]
vmovupd ymm8, ymmword ptr [r9 + 96]
vsubpd ymm9, ymm8, ymmword ptr [r9 + 608]
vmovupd ymm10, ymmword ptr [r9 + 288]
vsubpd ymm11, ymm10, ymmword ptr [r9 + 800]
vaddpd ymm8, ymm8, ymmword ptr [r9 + 608]
vmovupd ymm12, ymmword ptr [r9 + 864]
vaddpd ymm13, ymm12, ymmword ptr [r9 + 352]
vaddpd ymm0, ymm0, ymmword ptr [r9 + 672]
vaddpd ymm2, ymm2, ymmword ptr [r9 + 736]
vaddpd ymm14, ymm3, ymm5
vsubpd ymm5, ymm3, ymm5
vsubpd ymm3, ymm1, ymm7
vaddpd ymm7, ymm1, ymm7
vaddpd ymm4, ymm4, ymmword ptr [r9 + 928]
vaddpd ymm6, ymm6, ymmword ptr [r9 + 992]
vmovupd ymm1, ymmword ptr [r9 + 32]
vsubpd ymm15, ymm1, ymmword ptr [r9 + 544]
vmovupd ymm10, ymmword ptr [r9 + 352]
vsubpd ymm12, ymm10, ymm12
vaddpd ymm10, ymm9, ymm11
vsubpd ymm11, ymm9, ymm11
vaddpd ymm9, ymm3, ymm14
vsubpd ymm14, ymm3, ymm14
vsubpd ymm3, ymm7, ymm5
vaddpd ymm5, ymm7, ymm5
vaddpd ymm1, ymm1, ymmword ptr [r9 + 544]
vmovupd ymm7, ymmword ptr [r9 + 800]
vaddpd ymm7, ymm7, ymmword ptr [r9 + 288]
vmovapd ymmword ptr [r11 + 0], ymm5
vaddpd ymm5, ymm8, ymm13
vsubpd ymm13, ymm8, ymm13
vsubpd ymm8, ymm0, ymm4
vaddpd ymm4, ymm0, ymm4
vaddpd ymm0, ymm2, ymm6
vsubpd ymm6, ymm2, ymm6
vsubpd ymm2, ymm15, ymm12
vaddpd ymm12, ymm15, ymm12
vmovupd ymm15, ymmword ptr [rcx + 32]
vfmadd132pd ymm15, ymm10, ymm9
vfnmadd231pd ymm10, ymm9, ymmword ptr [rcx + 32]
vmovupd ymm9, ymmword ptr [rcx + 32]
vfmadd132pd ymm9, ymm11, ymm3
vfnmadd231pd ymm11, ymm3, ymmword ptr [rcx + 32]
vaddpd ymm3, ymm1, ymm7
vsubpd ymm7, ymm1, ymm7
vaddpd ymm1, ymm13, ymm8
vsubpd ymm8, ymm13, ymm8
vsubpd ymm13, ymm5, ymm0
vaddpd ymm0, ymm5, ymm0
vmovupd ymmword ptr [rdi - 992], ymm0
vmovupd ymm0, ymmword ptr [rcx + 32]
vfmadd132pd ymm0, ymm2, ymm14
vfnmadd231pd ymm2, ymm14, ymmword ptr [rcx + 32]
vmovupd ymm14, ymmword ptr [r11 + 0]
vmovupd ymm5, ymmword ptr [rcx + 32]
vfnmadd132pd ymm5, ymm12, ymm14
vfmadd231pd ymm12, ymm14, ymmword ptr [rcx + 32]
vbroadcastsd ymm14, qword ptr [rsi + 8]
vmovapd ymmword ptr [r11 + 0], ymm13
vmulpd ymm13, ymm15, ymm14
vmovapd ymmword ptr [r11 + 32], ymm8
vbroadcastsd ymm8, qword ptr [rsi + 0]
vmulpd ymm15, ymm15, ymm8
vfmsub231pd ymm13, ymm0, ymm8
vfmadd231pd ymm15, ymm0, ymm14
vmovupd ymmword ptr [rdi - 800], ymm13
vmovupd ymmword ptr [rdi - 864], ymm15
vbroadcastsd ymm15, qword ptr [rsi + 72]
vmulpd ymm13, ymm10, ymm15
vbroadcastsd ymm14, qword ptr [rsi + 64]
vmulpd ymm10, ymm10, ymm14
vfmsub231pd ymm13, ymm2, ymm14
vfmadd231pd ymm10, ymm2, ymm15
vmovupd ymmword ptr [rdi - 288], ymm13
vbroadcastsd ymm13, qword ptr [rsi + 40]
vmulpd ymm15, ymm9, ymm13
vmovupd ymmword ptr [rdi - 352], ymm10
vbroadcastsd ymm10, qword ptr [rsi + 32]
vmulpd ymm9, ymm9, ymm10
vfmsub231pd ymm15, ymm5, ymm10
vfmadd231pd ymm9, ymm5, ymm13
vbroadcastsd ymm13, qword ptr [rsi + 104]
vmulpd ymm5, ymm11, ymm13
vbroadcastsd ymm10, qword ptr [rsi + 96]
vmulpd ymm11, ymm11, ymm10
vsubpd ymm2, ymm3, ymm4
vaddpd ymm4, ymm3, ymm4
vmovupd ymmword ptr [rdi - 928], ymm4
vfmsub231pd ymm5, ymm12, ymm10
vfmadd231pd ymm11, ymm12, ymm13
vmovupd ymmword ptr [rdi - 544], ymm15
vmovupd ymmword ptr [rdi - 608], ymm9
vsubpd ymm9, ymm7, ymm6
vaddpd ymm6, ymm7, ymm6
vmovupd ymmword ptr [rdi - 32], ymm5
vmovupd ymmword ptr [rdi - 96], ymm11
vbroadcastsd ymm11, qword ptr [rsi + 24]
vmulpd ymm5, ymm1, ymm11
vbroadcastsd ymm7, qword ptr [rsi + 16]
vmulpd ymm1, ymm1, ymm7
vbroadcastsd ymm15, qword ptr [rsi + 88]
vmovupd ymm13, ymmword ptr [r11 + 32]
vmulpd ymm12, ymm13, ymm15
vbroadcastsd ymm10, qword ptr [rsi + 80]
vmulpd ymm13, ymm13, ymm10
vfmsub231pd ymm5, ymm9, ymm7
vfmadd231pd ymm1, ymm9, ymm11
vfmsub231pd ymm12, ymm6, ymm10
vfmadd231pd ymm13, ymm6, ymm15
vbroadcastsd ymm15, qword ptr [rsi + 56]
vmovupd ymm6, ymmword ptr [r11 + 0]
vmulpd ymm10, ymm6, ymm15
vbroadcastsd ymm11, qword ptr [rsi + 48]
vmulpd ymm6, ymm6, ymm11
vmovupd ymmword ptr [rdi - 672], ymm5
vfmsub231pd ymm10, ymm2, ymm11
vfmadd231pd ymm6, ymm2, ymm15
vmovupd ymmword ptr [rdi - 736], ymm1
vmovupd ymmword ptr [rdi - 160], ymm12
vmovupd ymmword ptr [rdi - 224], ymm13
vmovupd ymmword ptr [rdi - 416], ymm10
vmovupd ymmword ptr [rdi - 480], ymm6
vmovupd ymm6, ymmword ptr [r9 + 128]
vsubpd ymm10, ymm6, ymmword ptr [r9 + 640]
vmovupd ymm13, ymmword ptr [r9 + 192]
vsubpd ymm12, ymm13, ymmword ptr [r9 + 704]
vmovupd ymm1, ymmword ptr [r9 + 384]
vsubpd ymm15, ymm1, ymmword ptr [r9 + 896]
vmovupd ymm2, ymmword ptr [r9 + 448]
vsubpd ymm11, ymm2, ymmword ptr [r9 + 960]
vmovupd ymm5, ymmword ptr [r9 + 64]
vsubpd ymm9, ymm5, ymmword ptr [r9 + 576]
vmovupd ymm7, ymmword ptr [r9 + 256]
vsubpd ymm4, ymm7, ymmword ptr [r9 + 768]
vaddpd ymm5, ymm5, ymmword ptr [r9 + 576]
vmovupd ymm3, ymmword ptr [r9 + 832]
vaddpd ymm14, ymm3, ymmword ptr [r9 + 320]
vaddpd ymm6, ymm6, ymmword ptr [r9 + 640]
vaddpd ymm13, ymm13, ymmword ptr [r9 + 704]
vaddpd ymm0, ymm12, ymm15
vsubpd ymm15, ymm12, ymm15
vsubpd ymm12, ymm10, ymm11
vaddpd ymm11, ymm10, ymm11
vaddpd ymm1, ymm1, ymmword ptr [r9 + 896]
vaddpd ymm2, ymm2, ymmword ptr [r9 + 960]
vmovupd ymm10, ymmword ptr [r9 + 0]
vsubpd ymm8, ymm10, ymmword ptr [r9 + 512]
vmovupd ymm7, ymmword ptr [r9 + 320]
vsubpd ymm3, ymm7, ymm3
vaddpd ymm7, ymm9, ymm4
vsubpd ymm4, ymm9, ymm4
vaddpd ymm9, ymm12, ymm0
vsubpd ymm0, ymm12, ymm0
vsubpd ymm12, ymm11, ymm15
vaddpd ymm15, ymm11, ymm15
vaddpd ymm10, ymm10, ymmword ptr [r9 + 512]
vmovupd ymm11, ymmword ptr [r9 + 768]
vaddpd ymm11, ymm11, ymmword ptr [r9 + 256]
vmovapd ymmword ptr [r11 + 0], ymm15
vaddpd ymm15, ymm5, ymm14
vsubpd ymm14, ymm5, ymm14
vsubpd ymm5, ymm6, ymm1
vaddpd ymm1, ymm6, ymm1
vaddpd ymm6, ymm13, ymm2
vsubpd ymm2, ymm13, ymm2
vsubpd ymm13, ymm8, ymm3
vaddpd ymm3, ymm8, ymm3
vmovupd ymm8, ymmword ptr [rcx + 32]
vfmadd132pd ymm8, ymm7, ymm9
vfnmadd231pd ymm7, ymm9, ymmword ptr [rcx + 32]
vmovupd ymm9, ymmword ptr [rcx + 32]
vfmadd132pd ymm9, ymm4, ymm12
vfnmadd231pd ymm4, ymm12, ymmword ptr [rcx + 32]
vaddpd ymm12, ymm10, ymm11
vsubpd ymm11, ymm10, ymm11
vaddpd ymm10, ymm14, ymm5
vsubpd ymm5, ymm14, ymm5
vsubpd ymm14, ymm15, ymm6
vaddpd ymm6, ymm15, ymm6
vmovupd ymmword ptr [rdi - 1024], ymm6
vmovupd ymm6, ymmword ptr [rcx + 32]
vfmadd132pd ymm6, ymm13, ymm0
vfnmadd231pd ymm13, ymm0, ymmword ptr [rcx + 32]
vmovupd ymm0, ymmword ptr [r11 + 0]
vmovupd ymm15, ymmword ptr [rcx + 32]
vfnmadd132pd ymm15, ymm3, ymm0
vfmadd231pd ymm3, ymm0, ymmword ptr [rcx + 32]
vbroadcastsd ymm0, qword ptr [rsi + 8]
vmovapd ymmword ptr [r11 + 0], ymm14
vmulpd ymm14, ymm8, ymm0
vmovapd ymmword ptr [r11 + 32], ymm5
vbroadcastsd ymm5, qword ptr [rsi + 0]
vmulpd ymm8, ymm8, ymm5
vfmsub231pd ymm14, ymm6, ymm5
vfmadd231pd ymm8, ymm6, ymm0
vmovupd ymmword ptr [rdi - 832], ymm14
vmovupd ymmword ptr [rdi - 896], ymm8
vbroadcastsd ymm8, qword ptr [rsi + 72]
vmulpd ymm14, ymm7, ymm8
vbroadcastsd ymm0, qword ptr [rsi + 64]
vmulpd ymm7, ymm7, ymm0
vfmsub231pd ymm14, ymm13, ymm0
vfmadd231pd ymm7, ymm13, ymm8
vmovupd ymmword ptr [rdi - 320], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 40]
vmulpd ymm8, ymm9, ymm14
vmovupd ymmword ptr [rdi - 384], ymm7
vbroadcastsd ymm7, qword ptr [rsi + 32]
vmulpd ymm9, ymm9, ymm7
vfmsub231pd ymm8, ymm15, ymm7
vfmadd231pd ymm9, ymm15, ymm14
vbroadcastsd ymm14, qword ptr [rsi + 104]
vmulpd ymm15, ymm4, ymm14
vbroadcastsd ymm7, qword ptr [rsi + 96]
vmulpd ymm4, ymm4, ymm7
vsubpd ymm13, ymm12, ymm1
vaddpd ymm1, ymm12, ymm1
vmovupd ymmword ptr [rdi - 960], ymm1
vfmsub231pd ymm15, ymm3, ymm7
vfmadd231pd ymm4, ymm3, ymm14
vmovupd ymmword ptr [rdi - 576], ymm8
vmovupd ymmword ptr [rdi - 640], ymm9
vsubpd ymm9, ymm11, ymm2
vaddpd ymm2, ymm11, ymm2
vmovupd ymmword ptr [rdi - 64], ymm15
vmovupd ymmword ptr [rdi - 128], ymm4
vbroadcastsd ymm4, qword ptr [rsi + 24]
vmulpd ymm15, ymm10, ymm4
vbroadcastsd ymm11, qword ptr [rsi + 16]
vmulpd ymm10, ymm10, ymm11
vbroadcastsd ymm8, qword ptr [rsi + 88]
vmovupd ymm14, ymmword ptr [r11 + 32]
vmulpd ymm3, ymm14, ymm8
vbroadcastsd ymm7, qword ptr [rsi + 80]
vmulpd ymm14, ymm14, ymm7
vfmsub231pd ymm15, ymm9, ymm11
vfmadd231pd ymm10, ymm9, ymm4
vfmsub231pd ymm3, ymm2, ymm7
vfmadd231pd ymm14, ymm2, ymm8
vbroadcastsd ymm8, qword ptr [rsi + 56]
vmovupd ymm2, ymmword ptr [r11 + 0]
vmulpd ymm7, ymm2, ymm8
vbroadcastsd ymm4, qword ptr [rsi + 48]
vmulpd ymm2, ymm2, ymm4
vmovupd ymmword ptr [rdi - 704], ymm15
vfmsub231pd ymm7, ymm13, ymm4
vfmadd231pd ymm2, ymm13, ymm8
vmovupd ymmword ptr [rdi - 768], ymm10
vmovupd ymmword ptr [rdi - 192], ymm3
vmovupd ymmword ptr [rdi - 256], ymm14
vmovupd ymmword ptr [rdi - 448], ymm7
vmovupd ymmword ptr [rdi - 512], ymm2
# order 2 10 26 3 11 27 6 14 30 7 15 31 1 9 19 4 12 22 17 5 13 21 24 25 45 47 44 46 28 29 0 8 18 23 41 43 58 57 65 64 16 20 33 35 38 36 37 39 60 62 40 42 67 69 32 34 53 55 51 49 59 61 66 68 72 74 73 75 96 98 97 99 84 86 85 87 108 110 109 111 50 48 52 54 78 80 79 81 102 104 103 105 90 92 91 93 136 137 112 113 114 115 138 139 126 127 118 116 120 122 150 151 124 125 148 149 119 117 121 123 142 140 144 146 143 141 145 147 130 128 132 134 131 129 133 135 154 152 156 158 155 153 157 159 474 475 478 479 467 470 465 469 472 473 493 495 492 494 476 477 466 471 489 491 506 505 513 512 464 468 481 483 486 484 485 487 488 490 508 510 515 517 480 482 501 503 499 497 561 507 509 514 516 519 520 518 522 521 523 562 563 543 544 542 546 545 547 570 531 532 571 530 534 533 535 555 556 554 558 498 496 560 557 559 566 567 500 502 574 575 525 526 524 528 549 550 548 552 527 529 551 553 537 538 536 540 564 539 541 565 572 573 568 569 162 170 186 163 171 187 166 174 190 167 175 191 161 169 179 164 172 182 177 165 173 181 184 185 205 207 204 206 188 189 160 168 178 183 201 203 218 217 225 224 176 180 193 195 198 196 197 199 200 202 220 222 227 229 192 194 213 215 211 209 219 221 226 228 232 234 233 235 256 258 257 259 244 246 245 247 268 270 269 271 210 208 212 214 238 240 239 241 262 264 263 265 250 252 251 253 296 297 272 273 274 275 298 299 286 287 278 276 280 282 310 311 284 285 308 309 279 277 281 283 302 300 304 306 303 301 305 307 290 288 292 294 291 289 293 295 314 312 316 318 315 313 317 319 346 347 350 351 339 342 337 341 344 345 365 367 364 366 348 349 338 343 361 363 378 377 385 384 336 340 353 355 358 356 357 359 360 362 380 382 387 389 352 354 373 375 371 369 433 379 381 386 388 391 392 390 394 393 395 434 435 415 416 414 418 417 419 442 403 404 443 402 406 405 407 427 428 426 430 370 368 432 429 431 438 439 372 374 446 447 397 398 396 400 421 422 420 424 399 401 423 425 409 410 408 412 436 411 413 437 444 445 440 441
