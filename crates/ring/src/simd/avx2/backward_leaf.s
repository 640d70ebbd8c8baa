lea r10, [r9 + 1024]
lea r11, [r9 + 2048]
vmovupd ymm0, ymmword ptr [rdi + 192]
vmovupd ymm1, ymmword ptr [rdi + 128]
vmovupd ymm2, ymmword ptr [rdi + 640]
vmovupd ymm3, ymmword ptr [rdi + 704]
vsubpd ymm4, ymm0, ymm3
vmovupd ymm5, ymmword ptr [rdi + 448]
vmovupd ymm6, ymmword ptr [rdi + 960]
vsubpd ymm7, ymm1, ymm2
vmovupd ymm8, ymmword ptr [rdi + 384]
vmovupd ymm9, ymmword ptr [rdi + 896]
vsubpd ymm10, ymm5, ymm6
vmovupd ymm11, ymmword ptr [rdi + 0]
vmovupd ymm12, ymmword ptr [rdi + 512]
vsubpd ymm13, ymm8, ymm9
vmovupd ymm14, ymmword ptr [rdi + 320]
vmovupd ymm15, ymmword ptr [rdi + 832]
vaddpd ymm8, ymm7, ymm10
vsubpd ymm9, ymm14, ymm15
vsubpd ymm14, ymm11, ymm12
vaddpd ymm12, ymm11, ymm12
vsubpd ymm10, ymm7, ymm10
vsubpd ymm7, ymm4, ymm13
vmovupd ymm11, ymmword ptr [rdi + 256]
vmovupd ymm15, ymmword ptr [rdi + 768]
vaddpd ymm13, ymm4, ymm13
vaddpd ymm4, ymm11, ymm15
vaddpd ymm3, ymm0, ymm3
vaddpd ymm2, ymm1, ymm2
vaddpd ymm6, ymm5, ymm6
vmovupd ymm5, ymmword ptr [rdi + 576]
vmovupd ymm1, ymmword ptr [rdi + 64]
vsubpd ymm0, ymm1, ymm5
vsubpd ymm15, ymm11, ymm15
vaddpd ymm11, ymm14, ymm9
vsubpd ymm9, ymm14, ymm9
vaddpd ymm14, ymm7, ymm8
vsubpd ymm8, ymm7, ymm8
vsubpd ymm7, ymm13, ymm10
vaddpd ymm10, ymm13, ymm10
vaddpd ymm5, ymm1, ymm5
vmovupd ymm1, ymmword ptr [rdi + 832]
vaddpd ymm1, ymm1, ymmword ptr [rdi + 320]
vaddpd ymm13, ymm12, ymm4
vsubpd ymm4, ymm12, ymm4
vsubpd ymm12, ymm3, ymm6
vaddpd ymm6, ymm3, ymm6
vmovupd ymm3, ymmword ptr [rdi + 896]
vaddpd ymm3, ymm3, ymmword ptr [rdi + 384]
vmovapd ymmword ptr [r11 + 0], ymm6
vaddpd ymm6, ymm2, ymm3
vsubpd ymm3, ymm2, ymm3
vmovupd ymm2, ymmword ptr [rcx + 32]
vfmadd132pd ymm2, ymm11, ymm14
vfnmadd231pd ymm11, ymm14, ymmword ptr [rcx + 32]
vmovupd ymm14, ymmword ptr [rcx + 32]
vfmadd132pd ymm14, ymm9, ymm7
vfnmadd231pd ymm9, ymm7, ymmword ptr [rcx + 32]
vsubpd ymm7, ymm0, ymm15
vaddpd ymm15, ymm0, ymm15
vaddpd ymm0, ymm5, ymm1
vsubpd ymm1, ymm5, ymm1
vaddpd ymm5, ymm4, ymm12
vsubpd ymm12, ymm4, ymm12
vsubpd ymm4, ymm13, ymm6
vaddpd ymm6, ymm13, ymm6
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm7, ymm8
vfnmadd231pd ymm7, ymm8, ymmword ptr [rcx + 32]
vmulpd ymm8, ymm2, ymmword ptr [rdx + 64]
vmulpd ymm2, ymm2, ymmword ptr [rdx + 0]
vfmsub231pd ymm8, ymm13, ymmword ptr [rdx + 0]
vfmadd231pd ymm2, ymm13, ymmword ptr [rdx + 64]
vmulpd ymm13, ymm11, ymmword ptr [rdx + 576]
vmulpd ymm11, ymm11, ymmword ptr [rdx + 512]
vfmadd231pd ymm11, ymm7, ymmword ptr [rdx + 576]
vfmsub231pd ymm13, ymm7, ymmword ptr [rdx + 512]
vmovupd ymm7, ymmword ptr [rcx + 32]
vfnmadd132pd ymm7, ymm15, ymm10
vfmadd231pd ymm15, ymm10, ymmword ptr [rcx + 32]
vmovupd ymm10, ymmword ptr [rdx + 320]
vmovapd ymmword ptr [r11 + 32], ymm11
vmulpd ymm11, ymm14, ymm10
vmulpd ymm14, ymm14, ymmword ptr [rdx + 256]
vfmsub231pd ymm11, ymm7, ymmword ptr [rdx + 256]
vfmadd231pd ymm14, ymm7, ymm10
vmulpd ymm10, ymm9, ymmword ptr [rdx + 832]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 768]
vfmsub231pd ymm10, ymm15, ymmword ptr [rdx + 768]
vfmadd231pd ymm9, ymm15, ymmword ptr [rdx + 832]
vmovupd ymm15, ymmword ptr [r11 + 0]
vsubpd ymm7, ymm0, ymm15
vaddpd ymm15, ymm0, ymm15
vsubpd ymm0, ymm1, ymm3
vaddpd ymm3, ymm1, ymm3
vmulpd ymm1, ymm5, ymmword ptr [rdx + 192]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 128]
vfmsub231pd ymm1, ymm0, ymmword ptr [rdx + 128]
vfmadd231pd ymm5, ymm0, ymmword ptr [rdx + 192]
vmulpd ymm0, ymm12, ymmword ptr [rdx + 640]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 704]
vfmsub231pd ymm12, ymm3, ymmword ptr [rdx + 640]
vfmadd231pd ymm0, ymm3, ymmword ptr [rdx + 704]
vmulpd ymm3, ymm4, ymmword ptr [rdx + 448]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 384]
vfmsub231pd ymm3, ymm7, ymmword ptr [rdx + 384]
vfmadd231pd ymm4, ymm7, ymmword ptr [rdx + 448]
vunpcklpd ymm7, ymm6, ymm2
vunpckhpd ymm2, ymm6, ymm2
vunpcklpd ymm6, ymm15, ymm8
vunpckhpd ymm8, ymm15, ymm8
vunpcklpd ymm15, ymm1, ymm11
vunpckhpd ymm11, ymm1, ymm11
vunpcklpd ymm1, ymm5, ymm14
vunpckhpd ymm14, ymm5, ymm14
vunpcklpd ymm5, ymm12, ymm10
vunpckhpd ymm10, ymm12, ymm10
vunpcklpd ymm12, ymm0, ymm9
vunpckhpd ymm9, ymm0, ymm9
vperm2f128 ymm0, ymm6, ymm15, 49
vinsertf128 ymm15, ymm6, xmm15, 1
vmovupd ymmword ptr [r10 + 0], ymm15
vmovupd ymmword ptr [r10 + 128], ymm0
vperm2f128 ymm0, ymm8, ymm11, 49
vinsertf128 ymm11, ymm8, xmm11, 1
vmovupd ymmword ptr [r10 + 512], ymm11
vmovupd ymmword ptr [r10 + 640], ymm0
vperm2f128 ymm0, ymm7, ymm1, 49
vinsertf128 ymm1, ymm7, xmm1, 1
vmovupd ymmword ptr [r10 + 64], ymm1
vmovupd ymmword ptr [r10 + 192], ymm0
vperm2f128 ymm0, ymm2, ymm14, 49
vinsertf128 ymm14, ymm2, xmm14, 1
vmovupd ymmword ptr [r10 + 576], ymm14
vmovupd ymmword ptr [r10 + 704], ymm0
vunpcklpd ymm0, ymm3, ymm13
vunpckhpd ymm13, ymm3, ymm13
vmovupd ymm3, ymmword ptr [r11 + 32]
vunpcklpd ymm14, ymm4, ymm3
vunpckhpd ymm3, ymm4, ymm3
vperm2f128 ymm4, ymm0, ymm5, 49
vinsertf128 ymm5, ymm0, xmm5, 1
vmovupd ymmword ptr [r10 + 32], ymm5
vmovupd ymmword ptr [r10 + 160], ymm4
vperm2f128 ymm4, ymm13, ymm10, 49
vinsertf128 ymm10, ymm13, xmm10, 1
vmovupd ymmword ptr [r10 + 544], ymm10
vmovupd ymmword ptr [r10 + 672], ymm4
vinsertf128 ymm4, ymm14, xmm12, 1
vmovupd ymmword ptr [r10 + 96], ymm4
vperm2f128 ymm12, ymm14, ymm12, 49
vmovupd ymmword ptr [r10 + 224], ymm12
vperm2f128 ymm12, ymm3, ymm9, 49
vinsertf128 ymm9, ymm3, xmm9, 1
vmovupd ymmword ptr [r10 + 608], ymm9
vmovupd ymmword ptr [r10 + 736], ymm12
vmovupd ymm12, ymmword ptr [rdi + 224]
vmovupd ymm9, ymmword ptr [rdi + 736]
vmovupd ymm3, ymmword ptr [rdi + 672]
vsubpd ymm14, ymm12, ymm9
vmovupd ymm4, ymmword ptr [rdi + 480]
vmovupd ymm10, ymmword ptr [rdi + 992]
vmovupd ymm13, ymmword ptr [rdi + 160]
vsubpd ymm5, ymm13, ymm3
vmovupd ymm0, ymmword ptr [rdi + 416]
vmovupd ymm2, ymmword ptr [rdi + 928]
vsubpd ymm1, ymm4, ymm10
vmovupd ymm7, ymmword ptr [rdi + 32]
vmovupd ymm11, ymmword ptr [rdi + 544]
vsubpd ymm8, ymm0, ymm2
vmovupd ymm15, ymmword ptr [rdi + 352]
vmovupd ymm6, ymmword ptr [rdi + 864]
vsubpd ymm0, ymm7, ymm11
vmovupd ymm2, ymmword ptr [rdi + 288]
vmovupd ymm15, ymmword ptr [rdi + 800]
vaddpd ymm11, ymm7, ymm11
vaddpd ymm7, ymm2, ymm15
vaddpd ymm9, ymm12, ymm9
vaddpd ymm3, ymm13, ymm3
vaddpd ymm13, ymm5, ymm1
vsubpd ymm1, ymm5, ymm1
vsubpd ymm5, ymm14, ymm8
vaddpd ymm8, ymm14, ymm8
vaddpd ymm10, ymm4, ymm10
vmovupd ymm4, ymmword ptr [rdi + 96]
vmovupd ymm14, ymmword ptr [rdi + 352]
vsubpd ymm12, ymm14, ymm6
vmovupd ymm6, ymmword ptr [rdi + 608]
vsubpd ymm14, ymm4, ymm6
vsubpd ymm15, ymm2, ymm15
vaddpd ymm2, ymm0, ymm12
vsubpd ymm12, ymm0, ymm12
vaddpd ymm0, ymm5, ymm13
vsubpd ymm13, ymm5, ymm13
vsubpd ymm5, ymm8, ymm1
vaddpd ymm1, ymm8, ymm1
vaddpd ymm6, ymm4, ymm6
vmovupd ymm4, ymmword ptr [rdi + 864]
vaddpd ymm4, ymm4, ymmword ptr [rdi + 352]
vaddpd ymm8, ymm11, ymm7
vsubpd ymm7, ymm11, ymm7
vsubpd ymm11, ymm9, ymm10
vaddpd ymm10, ymm9, ymm10
vmovupd ymm9, ymmword ptr [rdi + 928]
vaddpd ymm9, ymm9, ymmword ptr [rdi + 416]
vmovapd ymmword ptr [r11 + 32], ymm10
vaddpd ymm10, ymm3, ymm9
vsubpd ymm9, ymm3, ymm9
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm2, ymm0
vfnmadd231pd ymm2, ymm0, ymmword ptr [rcx + 32]
vmovupd ymm0, ymmword ptr [rcx + 32]
vfmadd132pd ymm0, ymm12, ymm5
vfnmadd231pd ymm12, ymm5, ymmword ptr [rcx + 32]
vsubpd ymm5, ymm14, ymm15
vaddpd ymm15, ymm14, ymm15
vaddpd ymm14, ymm6, ymm4
vsubpd ymm4, ymm6, ymm4
vsubpd ymm6, ymm7, ymm11
vaddpd ymm11, ymm7, ymm11
vsubpd ymm7, ymm8, ymm10
vmovapd ymmword ptr [r11 + 0], ymm7
vmulpd ymm7, ymm2, ymmword ptr [rdx + 608]
vaddpd ymm10, ymm8, ymm10
vmovupd ymm8, ymmword ptr [rcx + 32]
vfmadd132pd ymm8, ymm5, ymm13
vfnmadd231pd ymm5, ymm13, ymmword ptr [rcx + 32]
vmulpd ymm13, ymm3, ymmword ptr [rdx + 96]
vmulpd ymm3, ymm3, ymmword ptr [rdx + 32]
vfmsub231pd ymm13, ymm8, ymmword ptr [rdx + 32]
vfmadd231pd ymm3, ymm8, ymmword ptr [rdx + 96]
vmulpd ymm2, ymm2, ymmword ptr [rdx + 544]
vfmsub231pd ymm7, ymm5, ymmword ptr [rdx + 544]
vmovupd ymm8, ymmword ptr [rcx + 32]
vfnmadd132pd ymm8, ymm15, ymm1
vfmadd231pd ymm15, ymm1, ymmword ptr [rcx + 32]
vmulpd ymm1, ymm0, ymmword ptr [rdx + 352]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 288]
vfmsub231pd ymm1, ymm8, ymmword ptr [rdx + 288]
vfmadd231pd ymm0, ymm8, ymmword ptr [rdx + 352]
vmovupd ymm8, ymmword ptr [r11 + 32]
vmovapd ymmword ptr [r11 + 64], ymm7
vsubpd ymm7, ymm14, ymm8
vmovapd ymmword ptr [r11 + 96], ymm5
vsubpd ymm5, ymm4, ymm9
vmovapd ymmword ptr [r11 + 128], ymm2
vmulpd ymm2, ymm12, ymmword ptr [rdx + 864]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 800]
vfmsub231pd ymm2, ymm15, ymmword ptr [rdx + 800]
vfmadd231pd ymm12, ymm15, ymmword ptr [rdx + 864]
vmulpd ymm15, ymm11, ymmword ptr [rdx + 224]
vmulpd ymm11, ymm11, ymmword ptr [rdx + 160]
vfmsub231pd ymm15, ymm5, ymmword ptr [rdx + 160]
vaddpd ymm8, ymm14, ymm8
vfmadd231pd ymm11, ymm5, ymmword ptr [rdx + 224]
vmulpd ymm5, ymm6, ymmword ptr [rdx + 736]
vmulpd ymm6, ymm6, ymmword ptr [rdx + 672]
vaddpd ymm9, ymm4, ymm9
vfmadd231pd ymm6, ymm9, ymmword ptr [rdx + 736]
vfmsub231pd ymm5, ymm9, ymmword ptr [rdx + 672]
vmovupd ymm9, ymmword ptr [r11 + 0]
vmulpd ymm4, ymm9, ymmword ptr [rdx + 480]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 416]
vfmsub231pd ymm4, ymm7, ymmword ptr [rdx + 416]
vfmadd231pd ymm9, ymm7, ymmword ptr [rdx + 480]
vunpcklpd ymm7, ymm10, ymm3
vunpckhpd ymm3, ymm10, ymm3
vunpcklpd ymm10, ymm8, ymm13
vunpckhpd ymm13, ymm8, ymm13
vunpcklpd ymm8, ymm15, ymm1
vunpckhpd ymm1, ymm15, ymm1
vunpcklpd ymm15, ymm11, ymm0
vunpckhpd ymm0, ymm11, ymm0
vunpcklpd ymm11, ymm5, ymm2
vunpckhpd ymm2, ymm5, ymm2
vmovupd ymm5, ymmword ptr [rdx + 608]
vmovupd ymm14, ymmword ptr [r11 + 128]
vfmadd231pd ymm14, ymm5, ymmword ptr [r11 + 96]
vperm2f128 ymm5, ymm10, ymm8, 49
vinsertf128 ymm8, ymm10, xmm8, 1
vmovupd ymmword ptr [r10 + 256], ymm8
vmovupd ymmword ptr [r10 + 384], ymm5
vperm2f128 ymm5, ymm13, ymm1, 49
vinsertf128 ymm1, ymm13, xmm1, 1
vmovupd ymmword ptr [r10 + 768], ymm1
vmovupd ymmword ptr [r10 + 896], ymm5
vunpcklpd ymm5, ymm6, ymm12
vunpckhpd ymm12, ymm6, ymm12
vperm2f128 ymm6, ymm7, ymm15, 49
vinsertf128 ymm15, ymm7, xmm15, 1
vmovupd ymmword ptr [r10 + 320], ymm15
vmovupd ymmword ptr [r10 + 448], ymm6
vperm2f128 ymm6, ymm3, ymm0, 49
vinsertf128 ymm0, ymm3, xmm0, 1
vmovupd ymmword ptr [r10 + 832], ymm0
vmovupd ymmword ptr [r10 + 960], ymm6
vmovupd ymm6, ymmword ptr [r11 + 64]
vunpcklpd ymm0, ymm4, ymm6
vunpckhpd ymm6, ymm4, ymm6
vunpcklpd ymm4, ymm9, ymm14
vunpckhpd ymm14, ymm9, ymm14
vinsertf128 ymm9, ymm14, xmm12, 1
vperm2f128 ymm3, ymm0, ymm11, 49
vinsertf128 ymm11, ymm0, xmm11, 1
vmovupd ymmword ptr [r10 + 288], ymm11
vmovupd ymmword ptr [r10 + 416], ymm3
vperm2f128 ymm3, ymm6, ymm2, 49
vinsertf128 ymm2, ymm6, xmm2, 1
vmovupd ymmword ptr [r10 + 800], ymm2
vmovupd ymmword ptr [r10 + 928], ymm3
vperm2f128 ymm3, ymm4, ymm5, 49
vinsertf128 ymm5, ymm4, xmm5, 1
vmovupd ymmword ptr [r10 + 352], ymm5
vmovupd ymmword ptr [r10 + 480], ymm3
vperm2f128 ymm12, ymm14, ymm12, 49
vmovupd ymmword ptr [r10 + 864], ymm9
vmovupd ymmword ptr [r10 + 992], ymm12
add rdx, 896
add rdi, 1024
xchg r9, r10
dec r8
jz 3f
2:
vmovupd ymm0, ymmword ptr [rdi + 192]
vmovupd ymm1, ymmword ptr [rdi + 128]
vmovupd ymm2, ymmword ptr [rdi + 640]
vmovupd ymm3, ymmword ptr [rdi + 704]
vsubpd ymm4, ymm0, ymm3
vmovupd ymm5, ymmword ptr [rdi + 448]
vmovupd ymm6, ymmword ptr [rdi + 960]
vsubpd ymm7, ymm1, ymm2
vmovupd ymm8, ymmword ptr [rdi + 384]
vmovupd ymm9, ymmword ptr [rdi + 896]
vsubpd ymm10, ymm5, ymm6
vmovupd ymm11, ymmword ptr [rdi + 0]
vmovupd ymm12, ymmword ptr [rdi + 512]
vsubpd ymm13, ymm8, ymm9
vmovupd ymm14, ymmword ptr [rdi + 320]
vmovupd ymm15, ymmword ptr [rdi + 832]
vaddpd ymm8, ymm7, ymm10
vsubpd ymm9, ymm14, ymm15
vsubpd ymm14, ymm11, ymm12
vaddpd ymm12, ymm11, ymm12
vsubpd ymm10, ymm7, ymm10
vsubpd ymm7, ymm4, ymm13
vmovupd ymm11, ymmword ptr [rdi + 256]
vmovupd ymm15, ymmword ptr [rdi + 768]
vaddpd ymm13, ymm4, ymm13
vaddpd ymm4, ymm11, ymm15
vaddpd ymm3, ymm0, ymm3
vaddpd ymm2, ymm1, ymm2
vaddpd ymm6, ymm5, ymm6
vmovupd ymm5, ymmword ptr [rdi + 576]
vmovupd ymm1, ymmword ptr [rdi + 64]
vsubpd ymm0, ymm1, ymm5
vsubpd ymm15, ymm11, ymm15
vaddpd ymm11, ymm14, ymm9
vsubpd ymm9, ymm14, ymm9
vaddpd ymm14, ymm7, ymm8
vsubpd ymm8, ymm7, ymm8
vsubpd ymm7, ymm13, ymm10
vaddpd ymm10, ymm13, ymm10
vaddpd ymm5, ymm1, ymm5
vmovupd ymm1, ymmword ptr [rdi + 832]
vaddpd ymm1, ymm1, ymmword ptr [rdi + 320]
vaddpd ymm13, ymm12, ymm4
vsubpd ymm4, ymm12, ymm4
vsubpd ymm12, ymm3, ymm6
vaddpd ymm6, ymm3, ymm6
vmovupd ymm3, ymmword ptr [rdi + 896]
vaddpd ymm3, ymm3, ymmword ptr [rdi + 384]
vmovapd ymmword ptr [r11 + 0], ymm6
vaddpd ymm6, ymm2, ymm3
vsubpd ymm3, ymm2, ymm3
vmovupd ymm2, ymmword ptr [rcx + 32]
vfmadd132pd ymm2, ymm11, ymm14
vfnmadd231pd ymm11, ymm14, ymmword ptr [rcx + 32]
vmovupd ymm14, ymmword ptr [rcx + 32]
vfmadd132pd ymm14, ymm9, ymm7
vfnmadd231pd ymm9, ymm7, ymmword ptr [rcx + 32]
vsubpd ymm7, ymm0, ymm15
vaddpd ymm15, ymm0, ymm15
vaddpd ymm0, ymm5, ymm1
vsubpd ymm1, ymm5, ymm1
vaddpd ymm5, ymm4, ymm12
vsubpd ymm12, ymm4, ymm12
vsubpd ymm4, ymm13, ymm6
vaddpd ymm6, ymm13, ymm6
vmovupd ymm13, ymmword ptr [rcx + 32]
vfmadd132pd ymm13, ymm7, ymm8
vfnmadd231pd ymm7, ymm8, ymmword ptr [rcx + 32]
vmulpd ymm8, ymm2, ymmword ptr [rdx + 64]
vmulpd ymm2, ymm2, ymmword ptr [rdx + 0]
vfmsub231pd ymm8, ymm13, ymmword ptr [rdx + 0]
vfmadd231pd ymm2, ymm13, ymmword ptr [rdx + 64]
vmulpd ymm13, ymm11, ymmword ptr [rdx + 576]
vmulpd ymm11, ymm11, ymmword ptr [rdx + 512]
vfmadd231pd ymm11, ymm7, ymmword ptr [rdx + 576]
vfmsub231pd ymm13, ymm7, ymmword ptr [rdx + 512]
vmovupd ymm7, ymmword ptr [rcx + 32]
vfnmadd132pd ymm7, ymm15, ymm10
vfmadd231pd ymm15, ymm10, ymmword ptr [rcx + 32]
vmovupd ymm10, ymmword ptr [rdx + 320]
vmovapd ymmword ptr [r11 + 32], ymm11
vmulpd ymm11, ymm14, ymm10
vmulpd ymm14, ymm14, ymmword ptr [rdx + 256]
vfmsub231pd ymm11, ymm7, ymmword ptr [rdx + 256]
vfmadd231pd ymm14, ymm7, ymm10
vmulpd ymm10, ymm9, ymmword ptr [rdx + 832]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 768]
vfmsub231pd ymm10, ymm15, ymmword ptr [rdx + 768]
vfmadd231pd ymm9, ymm15, ymmword ptr [rdx + 832]
vmovupd ymm15, ymmword ptr [r11 + 0]
vsubpd ymm7, ymm0, ymm15
vaddpd ymm15, ymm0, ymm15
vsubpd ymm0, ymm1, ymm3
vaddpd ymm3, ymm1, ymm3
vmulpd ymm1, ymm5, ymmword ptr [rdx + 192]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 128]
vfmsub231pd ymm1, ymm0, ymmword ptr [rdx + 128]
vfmadd231pd ymm5, ymm0, ymmword ptr [rdx + 192]
vmulpd ymm0, ymm12, ymmword ptr [rdx + 640]
vmulpd ymm12, ymm12, ymmword ptr [rdx + 704]
vfmsub231pd ymm12, ymm3, ymmword ptr [rdx + 640]
vfmadd231pd ymm0, ymm3, ymmword ptr [rdx + 704]
vmulpd ymm3, ymm4, ymmword ptr [rdx + 448]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 384]
vfmsub231pd ymm3, ymm7, ymmword ptr [rdx + 384]
vfmadd231pd ymm4, ymm7, ymmword ptr [rdx + 448]
vunpcklpd ymm7, ymm6, ymm2
vunpckhpd ymm2, ymm6, ymm2
vunpcklpd ymm6, ymm15, ymm8
vunpckhpd ymm8, ymm15, ymm8
vunpcklpd ymm15, ymm1, ymm11
vunpckhpd ymm11, ymm1, ymm11
vunpcklpd ymm1, ymm5, ymm14
vunpckhpd ymm14, ymm5, ymm14
vunpcklpd ymm5, ymm12, ymm10
vunpckhpd ymm10, ymm12, ymm10
vunpcklpd ymm12, ymm0, ymm9
vunpckhpd ymm9, ymm0, ymm9
vperm2f128 ymm0, ymm6, ymm15, 49
vinsertf128 ymm15, ymm6, xmm15, 1
vmovupd ymmword ptr [r10 + 0], ymm15
vmovupd ymmword ptr [r10 + 128], ymm0
vperm2f128 ymm0, ymm8, ymm11, 49
vinsertf128 ymm11, ymm8, xmm11, 1
vmovupd ymmword ptr [r10 + 512], ymm11
vmovupd ymmword ptr [r10 + 640], ymm0
vperm2f128 ymm0, ymm7, ymm1, 49
vinsertf128 ymm1, ymm7, xmm1, 1
vmovupd ymmword ptr [r10 + 64], ymm1
vmovupd ymmword ptr [r10 + 192], ymm0
vperm2f128 ymm0, ymm2, ymm14, 49
vinsertf128 ymm14, ymm2, xmm14, 1
vmovupd ymmword ptr [r10 + 576], ymm14
vmovupd ymmword ptr [r10 + 704], ymm0
vunpcklpd ymm0, ymm3, ymm13
vunpckhpd ymm13, ymm3, ymm13
vmovupd ymm3, ymmword ptr [r11 + 32]
vunpcklpd ymm14, ymm4, ymm3
vunpckhpd ymm3, ymm4, ymm3
vperm2f128 ymm4, ymm0, ymm5, 49
vinsertf128 ymm5, ymm0, xmm5, 1
vmovupd ymmword ptr [r10 + 32], ymm5
vmovupd ymmword ptr [r10 + 160], ymm4
vperm2f128 ymm4, ymm13, ymm10, 49
vinsertf128 ymm10, ymm13, xmm10, 1
vmovupd ymmword ptr [r10 + 544], ymm10
vmovupd ymmword ptr [r10 + 672], ymm4
vinsertf128 ymm4, ymm14, xmm12, 1
vmovupd ymmword ptr [r10 + 96], ymm4
vperm2f128 ymm12, ymm14, ymm12, 49
vmovupd ymmword ptr [r10 + 224], ymm12
vperm2f128 ymm12, ymm3, ymm9, 49
vinsertf128 ymm9, ymm3, xmm9, 1
vmovupd ymmword ptr [r10 + 608], ymm9
vmovupd ymm9, ymmword ptr [r9 + 160]
vmovupd ymm3, ymmword ptr [r9 + 672]
vmovupd ymmword ptr [r10 + 736], ymm12
vmovupd ymm12, ymmword ptr [r9 + 224]
vmovupd ymm14, ymmword ptr [r9 + 736]
vsubpd ymm4, ymm9, ymm3
vmovupd ymm10, ymmword ptr [r9 + 416]
vmovupd ymm13, ymmword ptr [r9 + 928]
vsubpd ymm5, ymm12, ymm14
vmovupd ymm0, ymmword ptr [r9 + 480]
vmovupd ymm2, ymmword ptr [r9 + 992]
vsubpd ymm1, ymm10, ymm13
vmovupd ymm7, ymmword ptr [r9 + 96]
vmovupd ymm11, ymmword ptr [r9 + 608]
vsubpd ymm8, ymm0, ymm2
vmovupd ymm15, ymmword ptr [r9 + 288]
vsubpd ymm6, ymm7, ymm11
vmovupd ymm0, ymmword ptr [r9 + 800]
vsubpd ymm2, ymm15, ymm0
vmovupd ymm15, ymmword ptr [r9 + 352]
vmovupd ymm0, ymmword ptr [r9 + 864]
vaddpd ymm11, ymm7, ymm11
vaddpd ymm7, ymm15, ymm0
vaddpd ymm3, ymm9, ymm3
vaddpd ymm14, ymm12, ymm14
vaddpd ymm12, ymm5, ymm1
vsubpd ymm1, ymm5, ymm1
vsubpd ymm5, ymm4, ymm8
vaddpd ymm8, ymm4, ymm8
vaddpd ymm13, ymm10, ymm13
vmovupd ymm10, ymmword ptr [r9 + 32]
vmovupd ymm4, ymmword ptr [r9 + 544]
vsubpd ymm9, ymm10, ymm4
vsubpd ymm0, ymm15, ymm0
vaddpd ymm15, ymm6, ymm2
vsubpd ymm2, ymm6, ymm2
vaddpd ymm6, ymm5, ymm12
vsubpd ymm12, ymm5, ymm12
vsubpd ymm5, ymm8, ymm1
vaddpd ymm1, ymm8, ymm1
vaddpd ymm4, ymm10, ymm4
vmovupd ymm10, ymmword ptr [r9 + 992]
vaddpd ymm10, ymm10, ymmword ptr [r9 + 480]
vmovupd ymm8, ymmword ptr [r9 + 800]
vaddpd ymm8, ymm8, ymmword ptr [r9 + 288]
vmovapd ymmword ptr [r11 + 32], ymm1
vsubpd ymm1, ymm4, ymm8
vmovapd ymmword ptr [r11 + 0], ymm1
vaddpd ymm1, ymm11, ymm7
vsubpd ymm7, ymm11, ymm7
vsubpd ymm11, ymm3, ymm13
vaddpd ymm13, ymm3, ymm13
vaddpd ymm3, ymm14, ymm10
vsubpd ymm10, ymm14, ymm10
vmovupd ymm14, ymmword ptr [rcx + 32]
vfmadd132pd ymm14, ymm15, ymm6
vfnmadd231pd ymm15, ymm6, ymmword ptr [rcx + 32]
vmovupd ymm6, ymmword ptr [rcx + 32]
vfmadd132pd ymm6, ymm2, ymm5
vfnmadd231pd ymm2, ymm5, ymmword ptr [rcx + 32]
vsubpd ymm5, ymm9, ymm0
vaddpd ymm0, ymm9, ymm0
vaddpd ymm8, ymm4, ymm8
vsubpd ymm4, ymm7, ymm11
vsubpd ymm9, ymm1, ymm3
vaddpd ymm3, ymm1, ymm3
vmovupd ymmword ptr [rdi - 992], ymm3
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm5, ymm12
vbroadcastsd ymm1, qword ptr [rsi + 8]
vfnmadd231pd ymm5, ymm12, ymmword ptr [rcx + 32]
vaddpd ymm11, ymm7, ymm11
vbroadcastsd ymm7, qword ptr [rsi + 0]
vmulpd ymm12, ymm14, ymm1
vmulpd ymm14, ymm14, ymm7
vfmsub231pd ymm12, ymm3, ymm7
vfmadd231pd ymm14, ymm3, ymm1
vmovupd ymmword ptr [rdi - 800], ymm12
vmovupd ymmword ptr [rdi - 864], ymm14
vmovupd ymm14, ymmword ptr [r11 + 32]
vmovupd ymm12, ymmword ptr [rcx + 32]
vfnmadd132pd ymm12, ymm0, ymm14
vbroadcastsd ymm1, qword ptr [rsi + 72]
vfmadd231pd ymm0, ymm14, ymmword ptr [rcx + 32]
vbroadcastsd ymm14, qword ptr [rsi + 64]
vmulpd ymm3, ymm15, ymm1
vmulpd ymm15, ymm15, ymm14
vfmsub231pd ymm3, ymm5, ymm14
vmovupd ymmword ptr [rdi - 288], ymm3
vfmadd231pd ymm15, ymm5, ymm1
vbroadcastsd ymm1, qword ptr [rsi + 40]
vmovupd ymmword ptr [rdi - 352], ymm15
vbroadcastsd ymm15, qword ptr [rsi + 32]
vmulpd ymm5, ymm6, ymm1
vmulpd ymm6, ymm6, ymm15
vfmsub231pd ymm5, ymm12, ymm15
vfmadd231pd ymm6, ymm12, ymm1
vmovupd ymmword ptr [rdi - 544], ymm5
vbroadcastsd ymm5, qword ptr [rsi + 104]
vbroadcastsd ymm1, qword ptr [rsi + 96]
vmulpd ymm12, ymm2, ymm5
vmulpd ymm2, ymm2, ymm1
vfmsub231pd ymm12, ymm0, ymm1
vfmadd231pd ymm2, ymm0, ymm5
vmovupd ymmword ptr [rdi - 96], ymm2
vmovupd ymmword ptr [rdi - 32], ymm12
vaddpd ymm12, ymm8, ymm13
vsubpd ymm13, ymm8, ymm13
vmovupd ymmword ptr [rdi - 928], ymm12
vmovupd ymm12, ymmword ptr [r11 + 0]
vsubpd ymm8, ymm12, ymm10
vbroadcastsd ymm2, qword ptr [rsi + 24]
vaddpd ymm10, ymm12, ymm10
vbroadcastsd ymm12, qword ptr [rsi + 16]
vmulpd ymm5, ymm11, ymm2
vmulpd ymm11, ymm11, ymm12
vfmsub231pd ymm5, ymm8, ymm12
vfmadd231pd ymm11, ymm8, ymm2
vmovupd ymmword ptr [rdi - 672], ymm5
vbroadcastsd ymm5, qword ptr [rsi + 88]
vmovupd ymmword ptr [rdi - 736], ymm11
vbroadcastsd ymm11, qword ptr [rsi + 80]
vmulpd ymm2, ymm4, ymm5
vmulpd ymm4, ymm4, ymm11
vfmsub231pd ymm2, ymm10, ymm11
vfmadd231pd ymm4, ymm10, ymm5
vmovupd ymmword ptr [rdi - 160], ymm2
vbroadcastsd ymm2, qword ptr [rsi + 56]
vmovupd ymmword ptr [rdi - 224], ymm4
vbroadcastsd ymm4, qword ptr [rsi + 48]
vmulpd ymm5, ymm9, ymm2
vfmsub231pd ymm5, ymm13, ymm4
vmulpd ymm4, ymm9, ymm4
vfmadd231pd ymm4, ymm13, ymm2
vmovupd ymmword ptr [rdi - 416], ymm5
vmovupd ymm5, ymmword ptr [rdi + 224]
vmovupd ymm2, ymmword ptr [rdi + 736]
vmovupd ymmword ptr [rdi - 480], ymm4
vmovupd ymm4, ymmword ptr [rdi + 672]
vsubpd ymm13, ymm5, ymm2
vmovupd ymm9, ymmword ptr [rdi + 480]
vmovupd ymm10, ymmword ptr [rdi + 992]
vmovupd ymm11, ymmword ptr [rdi + 160]
vsubpd ymm8, ymm11, ymm4
vmovupd ymm12, ymmword ptr [rdi + 416]
vmovupd ymm0, ymmword ptr [rdi + 928]
vsubpd ymm1, ymm9, ymm10
vmovupd ymm15, ymmword ptr [rdi + 32]
vmovupd ymm3, ymmword ptr [rdi + 544]
vsubpd ymm14, ymm12, ymm0
vmovupd ymm7, ymmword ptr [rdi + 352]
vmovupd ymm12, ymmword ptr [rdi + 864]
vsubpd ymm0, ymm15, ymm3
vmovupd ymm7, ymmword ptr [rdi + 288]
vmovupd ymm12, ymmword ptr [rdi + 800]
vaddpd ymm3, ymm15, ymm3
vaddpd ymm15, ymm7, ymm12
vaddpd ymm2, ymm5, ymm2
vaddpd ymm4, ymm11, ymm4
vaddpd ymm11, ymm8, ymm1
vsubpd ymm1, ymm8, ymm1
vsubpd ymm8, ymm13, ymm14
vaddpd ymm14, ymm13, ymm14
vaddpd ymm10, ymm9, ymm10
vmovupd ymmword ptr [rdi - 608], ymm6
vmovupd ymm6, ymmword ptr [rdi + 96]
vmovupd ymm9, ymmword ptr [rdi + 352]
vmovupd ymm13, ymmword ptr [rdi + 864]
vsubpd ymm5, ymm9, ymm13
vmovupd ymm9, ymmword ptr [rdi + 608]
vsubpd ymm13, ymm6, ymm9
vsubpd ymm12, ymm7, ymm12
vaddpd ymm7, ymm0, ymm5
vsubpd ymm5, ymm0, ymm5
vaddpd ymm0, ymm8, ymm11
vsubpd ymm11, ymm8, ymm11
vsubpd ymm8, ymm14, ymm1
vaddpd ymm1, ymm14, ymm1
vaddpd ymm9, ymm6, ymm9
vmovupd ymm6, ymmword ptr [rdi + 864]
vaddpd ymm6, ymm6, ymmword ptr [rdi + 352]
vaddpd ymm14, ymm3, ymm15
vsubpd ymm15, ymm3, ymm15
vsubpd ymm3, ymm2, ymm10
vaddpd ymm10, ymm2, ymm10
vmovupd ymm2, ymmword ptr [rdi + 928]
vaddpd ymm2, ymm2, ymmword ptr [rdi + 416]
vmovapd ymmword ptr [r11 + 0], ymm10
vaddpd ymm10, ymm4, ymm2
vsubpd ymm2, ymm4, ymm2
vmovupd ymm4, ymmword ptr [rcx + 32]
vfmadd132pd ymm4, ymm7, ymm0
vfnmadd231pd ymm7, ymm0, ymmword ptr [rcx + 32]
vmovupd ymm0, ymmword ptr [rcx + 32]
vfmadd132pd ymm0, ymm5, ymm8
vfnmadd231pd ymm5, ymm8, ymmword ptr [rcx + 32]
vsubpd ymm8, ymm13, ymm12
vaddpd ymm12, ymm13, ymm12
vaddpd ymm13, ymm9, ymm6
vsubpd ymm6, ymm9, ymm6
vsubpd ymm9, ymm15, ymm3
vaddpd ymm3, ymm15, ymm3
vsubpd ymm15, ymm14, ymm10
vmovapd ymmword ptr [r11 + 32], ymm15
vmulpd ymm15, ymm7, ymmword ptr [rdx + 608]
vaddpd ymm10, ymm14, ymm10
vmovupd ymm14, ymmword ptr [rcx + 32]
vfmadd132pd ymm14, ymm8, ymm11
vfnmadd231pd ymm8, ymm11, ymmword ptr [rcx + 32]
vmulpd ymm11, ymm4, ymmword ptr [rdx + 96]
vmulpd ymm4, ymm4, ymmword ptr [rdx + 32]
vfmsub231pd ymm11, ymm14, ymmword ptr [rdx + 32]
vfmadd231pd ymm4, ymm14, ymmword ptr [rdx + 96]
vmulpd ymm7, ymm7, ymmword ptr [rdx + 544]
vfmsub231pd ymm15, ymm8, ymmword ptr [rdx + 544]
vmovupd ymm14, ymmword ptr [rcx + 32]
vfnmadd132pd ymm14, ymm12, ymm1
vfmadd231pd ymm12, ymm1, ymmword ptr [rcx + 32]
vmulpd ymm1, ymm0, ymmword ptr [rdx + 352]
vmulpd ymm0, ymm0, ymmword ptr [rdx + 288]
vfmsub231pd ymm1, ymm14, ymmword ptr [rdx + 288]
vfmadd231pd ymm0, ymm14, ymmword ptr [rdx + 352]
vmovupd ymm14, ymmword ptr [r11 + 0]
vmovapd ymmword ptr [r11 + 64], ymm15
vsubpd ymm15, ymm13, ymm14
vmovapd ymmword ptr [r11 + 96], ymm8
vsubpd ymm8, ymm6, ymm2
vmovapd ymmword ptr [r11 + 128], ymm7
vmulpd ymm7, ymm5, ymmword ptr [rdx + 864]
vmulpd ymm5, ymm5, ymmword ptr [rdx + 800]
vfmsub231pd ymm7, ymm12, ymmword ptr [rdx + 800]
vfmadd231pd ymm5, ymm12, ymmword ptr [rdx + 864]
vmulpd ymm12, ymm3, ymmword ptr [rdx + 224]
vmulpd ymm3, ymm3, ymmword ptr [rdx + 160]
vfmsub231pd ymm12, ymm8, ymmword ptr [rdx + 160]
vaddpd ymm14, ymm13, ymm14
vfmadd231pd ymm3, ymm8, ymmword ptr [rdx + 224]
vmulpd ymm8, ymm9, ymmword ptr [rdx + 736]
vmulpd ymm9, ymm9, ymmword ptr [rdx + 672]
vaddpd ymm2, ymm6, ymm2
vfmadd231pd ymm9, ymm2, ymmword ptr [rdx + 736]
vfmsub231pd ymm8, ymm2, ymmword ptr [rdx + 672]
vmovupd ymm2, ymmword ptr [r11 + 32]
vmulpd ymm6, ymm2, ymmword ptr [rdx + 480]
vmulpd ymm2, ymm2, ymmword ptr [rdx + 416]
vfmsub231pd ymm6, ymm15, ymmword ptr [rdx + 416]
vfmadd231pd ymm2, ymm15, ymmword ptr [rdx + 480]
vunpcklpd ymm15, ymm10, ymm4
vunpckhpd ymm4, ymm10, ymm4
vunpcklpd ymm10, ymm14, ymm11
vunpckhpd ymm11, ymm14, ymm11
vunpcklpd ymm14, ymm12, ymm1
vunpckhpd ymm1, ymm12, ymm1
vunpcklpd ymm12, ymm3, ymm0
vunpckhpd ymm0, ymm3, ymm0
vunpcklpd ymm3, ymm8, ymm7
vunpckhpd ymm7, ymm8, ymm7
vmovupd ymm8, ymmword ptr [rdx + 608]
vmovupd ymm13, ymmword ptr [r11 + 128]
vfmadd231pd ymm13, ymm8, ymmword ptr [r11 + 96]
vperm2f128 ymm8, ymm10, ymm14, 49
vinsertf128 ymm14, ymm10, xmm14, 1
vmovupd ymmword ptr [r10 + 256], ymm14
vmovupd ymmword ptr [r10 + 384], ymm8
vperm2f128 ymm8, ymm11, ymm1, 49
vinsertf128 ymm1, ymm11, xmm1, 1
vmovupd ymmword ptr [r10 + 768], ymm1
vmovupd ymmword ptr [r10 + 896], ymm8
vunpcklpd ymm8, ymm9, ymm5
vunpckhpd ymm5, ymm9, ymm5
vperm2f128 ymm9, ymm15, ymm12, 49
vinsertf128 ymm12, ymm15, xmm12, 1
vmovupd ymmword ptr [r10 + 320], ymm12
vmovupd ymmword ptr [r10 + 448], ymm9
vperm2f128 ymm9, ymm4, ymm0, 49
vinsertf128 ymm0, ymm4, xmm0, 1
vmovupd ymmword ptr [r10 + 832], ymm0
vmovupd ymmword ptr [r10 + 960], ymm9
vmovupd ymm9, ymmword ptr [r11 + 64]
vunpcklpd ymm0, ymm6, ymm9
vunpckhpd ymm9, ymm6, ymm9
vunpcklpd ymm6, ymm2, ymm13
vunpckhpd ymm13, ymm2, ymm13
vinsertf128 ymm2, ymm13, xmm5, 1
vperm2f128 ymm4, ymm0, ymm3, 49
vinsertf128 ymm3, ymm0, xmm3, 1
vmovupd ymmword ptr [r10 + 288], ymm3
vmovupd ymmword ptr [r10 + 416], ymm4
vperm2f128 ymm4, ymm9, ymm7, 49
vinsertf128 ymm7, ymm9, xmm7, 1
vmovupd ymmword ptr [r10 + 800], ymm7
vmovupd ymmword ptr [r10 + 928], ymm4
vperm2f128 ymm4, ymm6, ymm8, 49
vinsertf128 ymm8, ymm6, xmm8, 1
vmovupd ymmword ptr [r10 + 352], ymm8
vmovupd ymmword ptr [r10 + 480], ymm4
vperm2f128 ymm5, ymm13, ymm5, 49
vmovupd ymmword ptr [r10 + 864], ymm2
vmovupd ymm2, ymmword ptr [r9 + 128]
vmovupd ymm13, ymmword ptr [r9 + 640]
vmovupd ymmword ptr [r10 + 992], ymm5
vmovupd ymm5, ymmword ptr [r9 + 192]
vmovupd ymm4, ymmword ptr [r9 + 704]
vsubpd ymm8, ymm2, ymm13
vmovupd ymm6, ymmword ptr [r9 + 896]
vmovupd ymm7, ymmword ptr [r9 + 384]
vsubpd ymm9, ymm5, ymm4
vmovupd ymm3, ymmword ptr [r9 + 448]
vmovupd ymm0, ymmword ptr [r9 + 960]
vsubpd ymm12, ymm7, ymm6
vmovupd ymm15, ymmword ptr [r9 + 64]
vmovupd ymm1, ymmword ptr [r9 + 576]
vsubpd ymm11, ymm3, ymm0
vmovupd ymm14, ymmword ptr [r9 + 256]
vmovupd ymm10, ymmword ptr [r9 + 768]
vsubpd ymm5, ymm15, ymm1
vsubpd ymm4, ymm14, ymm10
vmovupd ymm14, ymmword ptr [r9 + 320]
vaddpd ymm1, ymm15, ymm1
vmovupd ymm15, ymmword ptr [r9 + 832]
vaddpd ymm10, ymm14, ymm15
vaddpd ymm13, ymm2, ymm13
vaddpd ymm2, ymm9, ymm12
vsubpd ymm12, ymm9, ymm12
vsubpd ymm9, ymm8, ymm11
vaddpd ymm11, ymm8, ymm11
vaddpd ymm6, ymm7, ymm6
vmovupd ymm7, ymmword ptr [r9 + 0]
vmovupd ymm8, ymmword ptr [r9 + 512]
vaddpd ymm0, ymm3, ymm0
vsubpd ymm3, ymm7, ymm8
vsubpd ymm15, ymm14, ymm15
vaddpd ymm14, ymm5, ymm4
vsubpd ymm4, ymm5, ymm4
vaddpd ymm5, ymm9, ymm2
vsubpd ymm2, ymm9, ymm2
vsubpd ymm9, ymm11, ymm12
vaddpd ymm12, ymm11, ymm12
vaddpd ymm8, ymm7, ymm8
vmovupd ymm7, ymmword ptr [r9 + 768]
vaddpd ymm7, ymm7, ymmword ptr [r9 + 256]
vaddpd ymm11, ymm1, ymm10
vsubpd ymm10, ymm1, ymm10
vsubpd ymm1, ymm13, ymm6
vaddpd ymm6, ymm13, ymm6
vmovupd ymm13, ymmword ptr [r9 + 704]
vaddpd ymm13, ymm13, ymmword ptr [r9 + 192]
vmovapd ymmword ptr [r11 + 64], ymm6
vaddpd ymm6, ymm13, ymm0
vsubpd ymm0, ymm13, ymm0
vmovupd ymm13, ymmword ptr [rcx + 32]
vmovapd ymmword ptr [r11 + 128], ymm0
vmovapd ymm0, ymm14
vfmadd231pd ymm0, ymm5, ymm13
vfnmadd231pd ymm14, ymm5, ymm13
vmovupd ymm5, ymmword ptr [rcx + 32]
vfmadd132pd ymm5, ymm4, ymm9
vfnmadd231pd ymm4, ymm9, ymmword ptr [rcx + 32]
vsubpd ymm9, ymm3, ymm15
vaddpd ymm15, ymm3, ymm15
vaddpd ymm3, ymm8, ymm7
vsubpd ymm7, ymm8, ymm7
vsubpd ymm8, ymm10, ymm1
vmovapd ymmword ptr [r11 + 96], ymm8
vsubpd ymm8, ymm11, ymm6
vaddpd ymm6, ymm11, ymm6
vmovupd ymmword ptr [rdi - 1024], ymm6
vmovapd ymm6, ymm9
vfmadd231pd ymm6, ymm2, ymm13
vbroadcastsd ymm11, qword ptr [rsi + 8]
vfnmadd231pd ymm9, ymm2, ymm13
vbroadcastsd ymm13, qword ptr [rsi + 0]
vmulpd ymm2, ymm0, ymm11
vmulpd ymm0, ymm0, ymm13
vfmsub231pd ymm2, ymm6, ymm13
vfmadd231pd ymm0, ymm6, ymm11
vaddpd ymm1, ymm10, ymm1
vmovupd ymmword ptr [rdi - 832], ymm2
vmovupd ymmword ptr [rdi - 896], ymm0
vmovupd ymm0, ymmword ptr [rcx + 32]
vfnmadd132pd ymm0, ymm15, ymm12
vbroadcastsd ymm2, qword ptr [rsi + 72]
vfmadd231pd ymm15, ymm12, ymmword ptr [rcx + 32]
vbroadcastsd ymm12, qword ptr [rsi + 64]
vmulpd ymm10, ymm14, ymm2
vmulpd ymm14, ymm14, ymm12
vfmsub231pd ymm10, ymm9, ymm12
vfmadd231pd ymm14, ymm9, ymm2
vmovupd ymmword ptr [rdi - 320], ymm10
vbroadcastsd ymm10, qword ptr [rsi + 40]
vmovupd ymmword ptr [rdi - 384], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 32]
vmulpd ymm2, ymm5, ymm10
vmulpd ymm5, ymm5, ymm14
vfmsub231pd ymm2, ymm0, ymm14
vfmadd231pd ymm5, ymm0, ymm10
vmovupd ymmword ptr [rdi - 576], ymm2
vbroadcastsd ymm2, qword ptr [rsi + 104]
vmovupd ymmword ptr [rdi - 640], ymm5
vbroadcastsd ymm5, qword ptr [rsi + 96]
vmulpd ymm10, ymm4, ymm2
vmulpd ymm4, ymm4, ymm5
vfmsub231pd ymm10, ymm15, ymm5
vfmadd231pd ymm4, ymm15, ymm2
vmovupd ymmword ptr [rdi - 64], ymm10
vmovupd ymmword ptr [rdi - 128], ymm4
vmovupd ymm4, ymmword ptr [r11 + 64]
vsubpd ymm10, ymm3, ymm4
vaddpd ymm4, ymm3, ymm4
vmovupd ymmword ptr [rdi - 960], ymm4
vmovupd ymm4, ymmword ptr [r11 + 128]
vsubpd ymm3, ymm7, ymm4
vbroadcastsd ymm2, qword ptr [rsi + 24]
vaddpd ymm4, ymm7, ymm4
vbroadcastsd ymm7, qword ptr [rsi + 16]
vmulpd ymm15, ymm1, ymm2
vmulpd ymm1, ymm1, ymm7
vfmsub231pd ymm15, ymm3, ymm7
vfmadd231pd ymm1, ymm3, ymm2
vmovupd ymmword ptr [rdi - 704], ymm15
vbroadcastsd ymm15, qword ptr [rsi + 88]
vmovupd ymmword ptr [rdi - 768], ymm1
vbroadcastsd ymm1, qword ptr [rsi + 80]
vmovupd ymm2, ymmword ptr [r11 + 96]
vmulpd ymm3, ymm2, ymm15
vmulpd ymm2, ymm2, ymm1
vfmsub231pd ymm3, ymm4, ymm1
vfmadd231pd ymm2, ymm4, ymm15
vmovupd ymmword ptr [rdi - 192], ymm3
vbroadcastsd ymm3, qword ptr [rsi + 56]
vmovupd ymmword ptr [rdi - 256], ymm2
vbroadcastsd ymm2, qword ptr [rsi + 48]
vmulpd ymm15, ymm8, ymm3
vmulpd ymm8, ymm8, ymm2
vfmsub231pd ymm15, ymm10, ymm2
vfmadd231pd ymm8, ymm10, ymm3
vmovupd ymmword ptr [rdi - 448], ymm15
vmovupd ymmword ptr [rdi - 512], ymm8
add rdx, 896
add rsi, 112
add rdi, 1024
xchg r9, r10
dec r8
jnz 2b
3:
vmovupd ymm0, ymmword ptr [r9 + 160]
vmovupd ymm1, ymmword ptr [r9 + 672]
vmovupd ymm2, ymmword ptr [r9 + 224]
vmovupd ymm3, ymmword ptr [r9 + 736]
vsubpd ymm4, ymm0, ymm1
vmovupd ymm5, ymmword ptr [r9 + 416]
vmovupd ymm6, ymmword ptr [r9 + 928]
vsubpd ymm7, ymm2, ymm3
vmovupd ymm8, ymmword ptr [r9 + 480]
vmovupd ymm9, ymmword ptr [r9 + 992]
vsubpd ymm10, ymm5, ymm6
vmovupd ymm11, ymmword ptr [r9 + 96]
vmovupd ymm12, ymmword ptr [r9 + 608]
vsubpd ymm13, ymm8, ymm9
vmovupd ymm14, ymmword ptr [r9 + 288]
vsubpd ymm15, ymm11, ymm12
vmovupd ymm8, ymmword ptr [r9 + 800]
vsubpd ymm9, ymm14, ymm8
vmovupd ymm14, ymmword ptr [r9 + 352]
vmovupd ymm8, ymmword ptr [r9 + 864]
vaddpd ymm12, ymm11, ymm12
vaddpd ymm11, ymm14, ymm8
vaddpd ymm1, ymm0, ymm1
vaddpd ymm3, ymm2, ymm3
vaddpd ymm2, ymm7, ymm10
vsubpd ymm10, ymm7, ymm10
vsubpd ymm7, ymm4, ymm13
vaddpd ymm13, ymm4, ymm13
vaddpd ymm6, ymm5, ymm6
vmovupd ymm5, ymmword ptr [r9 + 32]
vmovupd ymm4, ymmword ptr [r9 + 544]
vsubpd ymm0, ymm5, ymm4
vsubpd ymm8, ymm14, ymm8
vaddpd ymm14, ymm15, ymm9
vsubpd ymm9, ymm15, ymm9
vaddpd ymm15, ymm7, ymm2
vsubpd ymm2, ymm7, ymm2
vsubpd ymm7, ymm13, ymm10
vaddpd ymm10, ymm13, ymm10
vaddpd ymm4, ymm5, ymm4
vmovupd ymm5, ymmword ptr [r9 + 992]
vaddpd ymm5, ymm5, ymmword ptr [r9 + 480]
vmovupd ymm13, ymmword ptr [r9 + 800]
vaddpd ymm13, ymm13, ymmword ptr [r9 + 288]
vmovapd ymmword ptr [r11 + 0], ymm10
vsubpd ymm10, ymm4, ymm13
vmovapd ymmword ptr [r11 + 32], ymm10
vaddpd ymm10, ymm12, ymm11
vsubpd ymm11, ymm12, ymm11
vsubpd ymm12, ymm1, ymm6
vaddpd ymm6, ymm1, ymm6
vaddpd ymm1, ymm3, ymm5
vsubpd ymm5, ymm3, ymm5
vmovupd ymm3, ymmword ptr [rcx + 32]
vfmadd132pd ymm3, ymm14, ymm15
vfnmadd231pd ymm14, ymm15, ymmword ptr [rcx + 32]
vmovupd ymm15, ymmword ptr [rcx + 32]
vfmadd132pd ymm15, ymm9, ymm7
vfnmadd231pd ymm9, ymm7, ymmword ptr [rcx + 32]
vsubpd ymm7, ymm0, ymm8
vaddpd ymm8, ymm0, ymm8
vaddpd ymm13, ymm4, ymm13
vsubpd ymm4, ymm11, ymm12
vsubpd ymm0, ymm10, ymm1
vaddpd ymm1, ymm10, ymm1
vmovupd ymmword ptr [rdi - 992], ymm1
vmovupd ymm1, ymmword ptr [rcx + 32]
vfmadd132pd ymm1, ymm7, ymm2
vbroadcastsd ymm10, qword ptr [rsi + 8]
vfnmadd231pd ymm7, ymm2, ymmword ptr [rcx + 32]
vaddpd ymm12, ymm11, ymm12
vbroadcastsd ymm11, qword ptr [rsi + 0]
vmulpd ymm2, ymm3, ymm10
vmulpd ymm3, ymm3, ymm11
vfmsub231pd ymm2, ymm1, ymm11
vfmadd231pd ymm3, ymm1, ymm10
vmovupd ymmword ptr [rdi - 800], ymm2
vmovupd ymmword ptr [rdi - 864], ymm3
vmovupd ymm3, ymmword ptr [r11 + 0]
vmovupd ymm2, ymmword ptr [rcx + 32]
vfnmadd132pd ymm2, ymm8, ymm3
vbroadcastsd ymm10, qword ptr [rsi + 72]
vfmadd231pd ymm8, ymm3, ymmword ptr [rcx + 32]
vbroadcastsd ymm3, qword ptr [rsi + 64]
vmulpd ymm1, ymm14, ymm10
vmulpd ymm14, ymm14, ymm3
vfmsub231pd ymm1, ymm7, ymm3
vmovupd ymmword ptr [rdi - 288], ymm1
vfmadd231pd ymm14, ymm7, ymm10
vbroadcastsd ymm10, qword ptr [rsi + 40]
vmovupd ymmword ptr [rdi - 352], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 32]
vmulpd ymm7, ymm15, ymm10
vmulpd ymm15, ymm15, ymm14
vfmsub231pd ymm7, ymm2, ymm14
vfmadd231pd ymm15, ymm2, ymm10
vmovupd ymmword ptr [rdi - 544], ymm7
vbroadcastsd ymm7, qword ptr [rsi + 104]
vbroadcastsd ymm10, qword ptr [rsi + 96]
vmulpd ymm2, ymm9, ymm7
vmulpd ymm9, ymm9, ymm10
vfmsub231pd ymm2, ymm8, ymm10
vfmadd231pd ymm9, ymm8, ymm7
vmovupd ymmword ptr [rdi - 96], ymm9
vmovupd ymmword ptr [rdi - 32], ymm2
vaddpd ymm2, ymm13, ymm6
vsubpd ymm6, ymm13, ymm6
vmovupd ymmword ptr [rdi - 928], ymm2
vmovupd ymm2, ymmword ptr [r11 + 32]
vsubpd ymm13, ymm2, ymm5
vbroadcastsd ymm9, qword ptr [rsi + 24]
vaddpd ymm5, ymm2, ymm5
vbroadcastsd ymm2, qword ptr [rsi + 16]
vmulpd ymm7, ymm12, ymm9
vmulpd ymm12, ymm12, ymm2
vfmsub231pd ymm7, ymm13, ymm2
vfmadd231pd ymm12, ymm13, ymm9
vmovupd ymmword ptr [rdi - 672], ymm7
vbroadcastsd ymm7, qword ptr [rsi + 88]
vmovupd ymmword ptr [rdi - 736], ymm12
vbroadcastsd ymm12, qword ptr [rsi + 80]
vmulpd ymm9, ymm4, ymm7
vmulpd ymm4, ymm4, ymm12
vfmsub231pd ymm9, ymm5, ymm12
vfmadd231pd ymm4, ymm5, ymm7
vmovupd ymmword ptr [rdi - 160], ymm9
vbroadcastsd ymm9, qword ptr [rsi + 56]
vmovupd ymmword ptr [rdi - 224], ymm4
vbroadcastsd ymm4, qword ptr [rsi + 48]
vmulpd ymm7, ymm0, ymm9
vfmsub231pd ymm7, ymm6, ymm4
vmulpd ymm4, ymm0, ymm4
vfmadd231pd ymm4, ymm6, ymm9
vmovupd ymmword ptr [rdi - 416], ymm7
vmovupd ymmword ptr [rdi - 480], ymm4
vmovupd ymmword ptr [rdi - 608], ymm15
vmovupd ymm15, ymmword ptr [r9 + 128]
vmovupd ymm4, ymmword ptr [r9 + 640]
vmovupd ymm7, ymmword ptr [r9 + 192]
vmovupd ymm9, ymmword ptr [r9 + 704]
vsubpd ymm6, ymm15, ymm4
vmovupd ymm0, ymmword ptr [r9 + 896]
vmovupd ymm5, ymmword ptr [r9 + 384]
vsubpd ymm12, ymm7, ymm9
vmovupd ymm13, ymmword ptr [r9 + 448]
vmovupd ymm2, ymmword ptr [r9 + 960]
vsubpd ymm8, ymm5, ymm0
vmovupd ymm10, ymmword ptr [r9 + 64]
vmovupd ymm14, ymmword ptr [r9 + 576]
vsubpd ymm1, ymm13, ymm2
vmovupd ymm3, ymmword ptr [r9 + 256]
vmovupd ymm11, ymmword ptr [r9 + 768]
vsubpd ymm7, ymm10, ymm14
vsubpd ymm9, ymm3, ymm11
vmovupd ymm3, ymmword ptr [r9 + 320]
vaddpd ymm14, ymm10, ymm14
vmovupd ymm10, ymmword ptr [r9 + 832]
vaddpd ymm11, ymm3, ymm10
vaddpd ymm4, ymm15, ymm4
vaddpd ymm15, ymm12, ymm8
vsubpd ymm8, ymm12, ymm8
vsubpd ymm12, ymm6, ymm1
vaddpd ymm1, ymm6, ymm1
vaddpd ymm0, ymm5, ymm0
vmovupd ymm5, ymmword ptr [r9 + 0]
vmovupd ymm6, ymmword ptr [r9 + 512]
vaddpd ymm2, ymm13, ymm2
vsubpd ymm13, ymm5, ymm6
vsubpd ymm10, ymm3, ymm10
vaddpd ymm3, ymm7, ymm9
vsubpd ymm9, ymm7, ymm9
vaddpd ymm7, ymm12, ymm15
vsubpd ymm15, ymm12, ymm15
vsubpd ymm12, ymm1, ymm8
vaddpd ymm8, ymm1, ymm8
vaddpd ymm6, ymm5, ymm6
vmovupd ymm5, ymmword ptr [r9 + 768]
vaddpd ymm5, ymm5, ymmword ptr [r9 + 256]
vaddpd ymm1, ymm14, ymm11
vsubpd ymm11, ymm14, ymm11
vsubpd ymm14, ymm4, ymm0
vaddpd ymm0, ymm4, ymm0
vmovupd ymm4, ymmword ptr [r9 + 704]
vaddpd ymm4, ymm4, ymmword ptr [r9 + 192]
vmovapd ymmword ptr [r11 + 32], ymm0
vaddpd ymm0, ymm4, ymm2
vsubpd ymm2, ymm4, ymm2
vmovupd ymm4, ymmword ptr [rcx + 32]
vmovapd ymmword ptr [r11 + 0], ymm2
vmovapd ymm2, ymm3
vfmadd231pd ymm2, ymm7, ymm4
vfnmadd231pd ymm3, ymm7, ymm4
vmovupd ymm7, ymmword ptr [rcx + 32]
vfmadd132pd ymm7, ymm9, ymm12
vfnmadd231pd ymm9, ymm12, ymmword ptr [rcx + 32]
vsubpd ymm12, ymm13, ymm10
vaddpd ymm10, ymm13, ymm10
vaddpd ymm13, ymm6, ymm5
vsubpd ymm5, ymm6, ymm5
vsubpd ymm6, ymm11, ymm14
vmovapd ymmword ptr [r11 + 64], ymm6
vsubpd ymm6, ymm1, ymm0
vaddpd ymm0, ymm1, ymm0
vmovupd ymmword ptr [rdi - 1024], ymm0
vmovapd ymm0, ymm12
vfmadd231pd ymm0, ymm15, ymm4
vbroadcastsd ymm1, qword ptr [rsi + 8]
vfnmadd231pd ymm12, ymm15, ymm4
vbroadcastsd ymm4, qword ptr [rsi + 0]
vmulpd ymm15, ymm2, ymm1
vmulpd ymm2, ymm2, ymm4
vfmsub231pd ymm15, ymm0, ymm4
vfmadd231pd ymm2, ymm0, ymm1
vaddpd ymm14, ymm11, ymm14
vmovupd ymmword ptr [rdi - 832], ymm15
vmovupd ymmword ptr [rdi - 896], ymm2
vmovupd ymm2, ymmword ptr [rcx + 32]
vfnmadd132pd ymm2, ymm10, ymm8
vbroadcastsd ymm15, qword ptr [rsi + 72]
vfmadd231pd ymm10, ymm8, ymmword ptr [rcx + 32]
vbroadcastsd ymm8, qword ptr [rsi + 64]
vmulpd ymm11, ymm3, ymm15
vmulpd ymm3, ymm3, ymm8
vfmsub231pd ymm11, ymm12, ymm8
vfmadd231pd ymm3, ymm12, ymm15
vmovupd ymmword ptr [rdi - 320], ymm11
vbroadcastsd ymm11, qword ptr [rsi + 40]
vmovupd ymmword ptr [rdi - 384], ymm3
vbroadcastsd ymm3, qword ptr [rsi + 32]
vmulpd ymm15, ymm7, ymm11
vmulpd ymm7, ymm7, ymm3
vfmsub231pd ymm15, ymm2, ymm3
vfmadd231pd ymm7, ymm2, ymm11
vmovupd ymmword ptr [rdi - 576], ymm15
vbroadcastsd ymm15, qword ptr [rsi + 104]
vmovupd ymmword ptr [rdi - 640], ymm7
vbroadcastsd ymm7, qword ptr [rsi + 96]
vmulpd ymm11, ymm9, ymm15
vmulpd ymm9, ymm9, ymm7
vfmsub231pd ymm11, ymm10, ymm7
vfmadd231pd ymm9, ymm10, ymm15
vmovupd ymmword ptr [rdi - 64], ymm11
vmovupd ymmword ptr [rdi - 128], ymm9
vmovupd ymm9, ymmword ptr [r11 + 32]
vsubpd ymm11, ymm13, ymm9
vaddpd ymm9, ymm13, ymm9
vmovupd ymmword ptr [rdi - 960], ymm9
vmovupd ymm9, ymmword ptr [r11 + 0]
vsubpd ymm13, ymm5, ymm9
vbroadcastsd ymm15, qword ptr [rsi + 24]
vaddpd ymm9, ymm5, ymm9
vbroadcastsd ymm5, qword ptr [rsi + 16]
vmulpd ymm10, ymm14, ymm15
vmulpd ymm14, ymm14, ymm5
vfmsub231pd ymm10, ymm13, ymm5
vfmadd231pd ymm14, ymm13, ymm15
vmovupd ymmword ptr [rdi - 704], ymm10
vbroadcastsd ymm10, qword ptr [rsi + 88]
vmovupd ymmword ptr [rdi - 768], ymm14
vbroadcastsd ymm14, qword ptr [rsi + 80]
vmovupd ymm15, ymmword ptr [r11 + 64]
vmulpd ymm13, ymm15, ymm10
vmulpd ymm15, ymm15, ymm14
vfmsub231pd ymm13, ymm9, ymm14
vfmadd231pd ymm15, ymm9, ymm10
vmovupd ymmword ptr [rdi - 192], ymm13
vbroadcastsd ymm13, qword ptr [rsi + 56]
vmovupd ymmword ptr [rdi - 256], ymm15
vbroadcastsd ymm15, qword ptr [rsi + 48]
vmulpd ymm10, ymm6, ymm13
vmulpd ymm6, ymm6, ymm15
vfmsub231pd ymm10, ymm11, ymm15
vfmadd231pd ymm6, ymm11, ymm13
vmovupd ymmword ptr [rdi - 448], ymm10
vmovupd ymmword ptr [rdi - 512], ymm6
# order 2 3 11 10 26 6 14 27 7 15 30 1 9 31 4 12 45 22 19 17 47 44 5 13 46 21 24 25 28 8 0 18 23 41 43 58 57 65 64 16 20 33 35 38 36 29 37 39 60 62 67 69 40 42 32 34 53 55 51 49 59 61 72 74 73 75 96 98 99 97 66 68 83 84 86 85 87 108 110 109 111 50 48 52 54 78 80 79 81 104 102 103 105 90 92 91 93 136 137 112 113 114 115 138 139 126 127 150 151 118 116 120 122 119 117 121 123 142 140 144 146 143 141 145 147 124 125 148 149 130 128 132 134 131 129 133 135 152 156 154 158 155 153 157 450 458 159 451 459 474 454 462 475 455 463 478 449 457 479 452 467 460 470 453 461 465 469 472 473 493 495 492 494 476 448 456 466 471 489 491 506 505 513 512 464 477 468 482 481 483 486 484 485 487 508 510 515 517 488 490 480 503 499 497 561 507 519 509 501 518 520 522 521 523 562 563 514 543 516 542 544 546 545 570 547 531 571 530 532 534 533 535 566 555 554 556 558 557 559 575 574 496 498 560 500 525 502 524 526 528 527 529 564 549 565 548 550 552 551 553 572 537 573 536 538 539 540 541 568 162 170 569 171 186 166 174 163 187 167 175 190 161 169 191 164 172 179 165 173 177 181 184 185 205 207 204 206 188 567 160 182 168 178 183 201 203 218 217 225 224 176 180 193 195 198 196 189 197 199 220 222 227 229 200 202 192 194 215 213 211 256 209 219 221 232 234 233 235 258 257 226 228 244 246 245 247 210 212 268 270 269 271 238 240 239 208 241 262 264 214 265 263 250 252 251 253 296 297 272 273 274 275 298 299 286 287 259 278 276 280 282 279 277 281 283 310 311 302 300 304 306 303 301 305 307 284 285 308 309 313 290 288 292 294 291 289 293 295 314 312 316 318 315 317 322 330 319 323 331 346 334 326 347 327 335 350 321 329 351 324 332 339 342 325 337 333 341 344 365 367 364 366 348 320 328 349 338 343 361 363 378 377 385 384 336 340 353 355 358 356 345 357 359 376 380 382 387 389 360 362 352 354 375 371 369 433 379 391 381 390 392 394 393 395 373 434 435 386 415 388 414 416 418 417 419 442 403 443 402 404 406 405 407 438 427 439 426 428 430 429 431 446 447 370 368 432 372 397 374 396 398 400 399 401 436 421 437 420 422 424 423 425 444 409 445 408 410 412 411 413 440 441
