2:
vmovupd zmm0, zmmword ptr [rdi + 448]
vmulpd zmm1, zmm0, qword ptr [rsi + 40]{1to8}
vmovupd zmm2, zmmword ptr [rdi + 832]
vmovupd zmm3, zmmword ptr [rdi + 960]
vmulpd zmm4, zmm3, qword ptr [rsi + 96]{1to8}
vmulpd zmm5, zmm2, qword ptr [rsi + 80]{1to8}
vmulpd zmm3, zmm3, qword ptr [rsi + 104]{1to8}
vmovupd zmm6, zmmword ptr [rdi + 768]
vmovupd zmm7, zmmword ptr [rdi + 896]
vmovupd zmm8, zmmword ptr [rdi + 320]
vmovupd zmm9, zmmword ptr [rdi + 192]
vmulpd zmm10, zmm9, qword ptr [rsi + 0]{1to8}
vmovupd zmm11, zmmword ptr [rdi + 384]
vfmadd231pd zmm5, zmm6, qword ptr [rsi + 88]{1to8}
vmulpd zmm12, zmm8, qword ptr [rsi + 16]{1to8}
vmovupd zmm13, zmmword ptr [rdi + 256]
vmulpd zmm9, zmm9, qword ptr [rsi + 8]{1to8}
vmovupd zmm14, zmmword ptr [rdi + 576]
vmovupd zmm15, zmmword ptr [rdi + 512]
vmovupd zmm16, zmmword ptr [rdi + 640]
vmovupd zmm17, zmmword ptr [rdi + 704]
vmulpd zmm18, zmm17, qword ptr [rsi + 72]{1to8}
vmovupd zmm19, zmmword ptr [rdi + 0]
vfmsub231pd zmm18, zmm16, qword ptr [rsi + 64]{1to8}
vmovupd zmm20, zmmword ptr [rdi + 128]
vmulpd zmm2, zmm2, qword ptr [rsi + 88]{1to8}
vfmsub231pd zmm1, zmm11, qword ptr [rsi + 32]{1to8}
vfmsub231pd zmm2, zmm6, qword ptr [rsi + 80]{1to8}
vfmadd231pd zmm12, zmm13, qword ptr [rsi + 24]{1to8}
vmulpd zmm8, zmm8, qword ptr [rsi + 24]{1to8}
vfmsub231pd zmm8, zmm13, qword ptr [rsi + 16]{1to8}
vfmsub231pd zmm9, zmm20, qword ptr [rsi + 0]{1to8}
vmulpd zmm0, zmm0, qword ptr [rsi + 32]{1to8}
vfmadd231pd zmm0, zmm11, qword ptr [rsi + 40]{1to8}
vfmadd231pd zmm10, zmm20, qword ptr [rsi + 8]{1to8}
vfmadd231pd zmm4, zmm7, qword ptr [rsi + 104]{1to8}
vsubpd zmm20, zmm0, zmm4
vaddpd zmm11, zmm12, zmm5
vaddpd zmm4, zmm0, zmm4
vaddpd zmm0, zmm8, zmm2
vfmsub231pd zmm3, zmm7, qword ptr [rsi + 96]{1to8}
vsubpd zmm7, zmm1, zmm3
vmovapd zmm13, zmm19
vfmadd231pd zmm13, zmm15, qword ptr [rsi + 48]{1to8}
vfnmadd231pd zmm13, zmm14, qword ptr [rsi + 56]{1to8}
vfmsub132pd zmm19, zmm13, qword ptr [rcx + 0]{1to8}
vmovupd zmm6, zmmword ptr [rdi + 64]
vmulpd zmm17, zmm17, qword ptr [rsi + 64]{1to8}
vsubpd zmm5, zmm12, zmm5
vfmadd231pd zmm17, zmm16, qword ptr [rsi + 72]{1to8}
vsubpd zmm16, zmm10, zmm17
vsubpd zmm12, zmm9, zmm18
vaddpd zmm17, zmm10, zmm17
vaddpd zmm10, zmm17, zmm4
vfmadd132pd zmm15, zmm6, qword ptr [rsi + 56]{1to8}
vsubpd zmm21, zmm12, zmm20
vfmadd231pd zmm15, zmm14, qword ptr [rsi + 48]{1to8}
vfmsub132pd zmm6, zmm15, qword ptr [rcx + 0]{1to8}
vsubpd zmm14, zmm16, zmm7
vsubpd zmm2, zmm8, zmm2
vsubpd zmm8, zmm6, zmm2
vaddpd zmm22, zmm15, zmm11
vaddpd zmm7, zmm16, zmm7
vaddpd zmm16, zmm21, zmm7
vaddpd zmm2, zmm6, zmm2
vmovapd zmm6, zmm2
vfmadd231pd zmm6, zmm16, qword ptr [rcx + 8]{1to8}
vfnmadd231pd zmm2, zmm16, qword ptr [rcx + 8]{1to8}
vaddpd zmm16, zmm19, zmm5
vaddpd zmm20, zmm12, zmm20
vaddpd zmm12, zmm20, zmm14
vmovapd zmm23, zmm16
vfnmadd231pd zmm23, zmm12, qword ptr [rcx + 8]{1to8}
vfmadd231pd zmm16, zmm12, qword ptr [rcx + 8]{1to8}
vunpckhpd zmm12, zmm23, zmm16
vaddpd zmm24, zmm22, zmm10
vsubpd zmm14, zmm20, zmm14
vmovapd zmm20, zmm8
vfmadd231pd zmm20, zmm14, qword ptr [rcx + 8]{1to8}
vfnmadd231pd zmm8, zmm14, qword ptr [rcx + 8]{1to8}
vunpcklpd zmm14, zmm20, zmm8
vaddpd zmm3, zmm1, zmm3
vaddpd zmm18, zmm9, zmm18
vsubpd zmm10, zmm22, zmm10
vsubpd zmm22, zmm18, zmm3
vunpcklpd zmm9, zmm6, zmm2
vaddpd zmm1, zmm13, zmm0
vsubpd zmm7, zmm21, zmm7
vsubpd zmm11, zmm15, zmm11
vaddpd zmm15, zmm11, zmm22
vsubpd zmm5, zmm19, zmm5
vmovapd zmm19, zmm5
vfnmadd231pd zmm19, zmm7, qword ptr [rcx + 8]{1to8}
vunpcklpd zmm21, zmm24, zmm10
vsubpd zmm22, zmm11, zmm22
vsubpd zmm0, zmm13, zmm0
vunpckhpd zmm8, zmm20, zmm8
vunpckhpd zmm20, zmm15, zmm22
vunpcklpd zmm22, zmm15, zmm22
vshuff64x2 zmm15, zmm22, zmm14, 136
vaddpd zmm3, zmm18, zmm3
vshuff64x2 zmm14, zmm22, zmm14, 221
vshuff64x2 zmm22, zmm21, zmm9, 221
vshuff64x2 zmm18, zmm22, zmm14, 221
vfmadd231pd zmm5, zmm7, qword ptr [rcx + 8]{1to8}
vshuff64x2 zmm7, zmm20, zmm8, 221
vsubpd zmm13, zmm1, zmm3
vunpcklpd zmm16, zmm23, zmm16
vaddpd zmm3, zmm1, zmm3
vunpcklpd zmm1, zmm3, zmm13
vshuff64x2 zmm14, zmm22, zmm14, 136
vsubpd zmm4, zmm17, zmm4
vunpcklpd zmm17, zmm5, zmm19
vmulpd zmm22, zmm18, zmmword ptr [rdx + 640]
vshuff64x2 zmm23, zmm1, zmm17, 136
vaddpd zmm11, zmm0, zmm4
vsubpd zmm4, zmm0, zmm4
vunpcklpd zmm0, zmm4, zmm11
vunpckhpd zmm2, zmm6, zmm2
vshuff64x2 zmm6, zmm0, zmm16, 221
vshuff64x2 zmm17, zmm1, zmm17, 221
vshuff64x2 zmm1, zmm17, zmm6, 221
vunpckhpd zmm10, zmm24, zmm10
vshuff64x2 zmm24, zmm10, zmm2, 136
vshuff64x2 zmm2, zmm10, zmm2, 221
vshuff64x2 zmm10, zmm2, zmm7, 221
vunpckhpd zmm11, zmm4, zmm11
vmulpd zmm4, zmm14, zmmword ptr [rdx + 128]
vshuff64x2 zmm8, zmm20, zmm8, 136
vshuff64x2 zmm20, zmm24, zmm8, 136
vmulpd zmm25, zmm20, zmmword ptr [rdx + 0]
vshuff64x2 zmm26, zmm11, zmm12, 136
vunpckhpd zmm19, zmm5, zmm19
vshuff64x2 zmm16, zmm0, zmm16, 136
vshuff64x2 zmm9, zmm21, zmm9, 136
vmulpd zmm14, zmm14, zmmword ptr [rdx + 192]
vshuff64x2 zmm6, zmm17, zmm6, 136
vshuff64x2 zmm17, zmm23, zmm16, 136
vshuff64x2 zmm16, zmm23, zmm16, 221
vshuff64x2 zmm23, zmm9, zmm15, 136
vmovapd zmm21, zmm23
vfmadd231pd zmm21, zmm16, zmmword ptr [rdx + 448]
vshuff64x2 zmm15, zmm9, zmm15, 221
vfmadd231pd zmm21, zmm15, zmmword ptr [rdx + 384]
vunpckhpd zmm13, zmm3, zmm13
vshuff64x2 zmm3, zmm13, zmm19, 136
vfmadd231pd zmm22, zmm1, zmmword ptr [rdx + 704]
vshuff64x2 zmm8, zmm24, zmm8, 221
vmulpd zmm24, zmm8, zmmword ptr [rdx + 512]
vmulpd zmm18, zmm18, zmmword ptr [rdx + 704]
vfmsub231pd zmm18, zmm1, zmmword ptr [rdx + 640]
vshuff64x2 zmm1, zmm3, zmm26, 221
vfmadd231pd zmm4, zmm6, zmmword ptr [rdx + 192]
vaddpd zmm9, zmm4, zmm22
vsubpd zmm0, zmm21, zmm9
vsubpd zmm22, zmm4, zmm22
vfmsub231pd zmm14, zmm6, zmmword ptr [rdx + 128]
vfmadd132pd zmm16, zmm17, zmmword ptr [rdx + 384]
vfnmadd231pd zmm16, zmm15, zmmword ptr [rdx + 448]
vaddpd zmm15, zmm14, zmm18
vfmsub132pd zmm23, zmm21, qword ptr [rcx + 0]{1to8}
vmulpd zmm6, zmm10, zmmword ptr [rdx + 768]
vsubpd zmm18, zmm14, zmm18
vshuff64x2 zmm19, zmm13, zmm19, 221
vfmsub132pd zmm17, zmm16, qword ptr [rcx + 0]{1to8}
vaddpd zmm13, zmm17, zmm22
vshuff64x2 zmm7, zmm2, zmm7, 136
vmulpd zmm2, zmm7, zmmword ptr [rdx + 320]
vmulpd zmm7, zmm7, zmmword ptr [rdx + 256]
vmulpd zmm8, zmm8, zmmword ptr [rdx + 576]
vmulpd zmm20, zmm20, zmmword ptr [rdx + 64]
vshuff64x2 zmm26, zmm3, zmm26, 136
vfmsub231pd zmm20, zmm26, zmmword ptr [rdx + 0]
vfmadd231pd zmm24, zmm1, zmmword ptr [rdx + 576]
vshuff64x2 zmm12, zmm11, zmm12, 221
vshuff64x2 zmm11, zmm19, zmm12, 136
vfmsub231pd zmm2, zmm11, zmmword ptr [rdx + 256]
vsubpd zmm3, zmm16, zmm15
vaddpd zmm9, zmm21, zmm9
vfmadd231pd zmm25, zmm26, zmmword ptr [rdx + 64]
vaddpd zmm26, zmm25, zmm24
vsubpd zmm24, zmm25, zmm24
vshuff64x2 zmm12, zmm19, zmm12, 221
vfmadd231pd zmm6, zmm12, zmmword ptr [rdx + 832]
vsubpd zmm19, zmm23, zmm18
vfmadd231pd zmm7, zmm11, zmmword ptr [rdx + 320]
vaddpd zmm11, zmm7, zmm6
vfmsub231pd zmm8, zmm1, zmmword ptr [rdx + 512]
vmulpd zmm10, zmm10, zmmword ptr [rdx + 832]
vfmsub231pd zmm10, zmm12, zmmword ptr [rdx + 768]
vaddpd zmm12, zmm2, zmm10
vsubpd zmm6, zmm7, zmm6
vaddpd zmm7, zmm20, zmm8
vaddpd zmm15, zmm16, zmm15
vaddpd zmm16, zmm7, zmm12
vsubpd zmm1, zmm15, zmm16
vaddpd zmm18, zmm23, zmm18
vsubpd zmm12, zmm7, zmm12
vsubpd zmm7, zmm0, zmm12
vsubpd zmm10, zmm2, zmm10
vsubpd zmm2, zmm26, zmm11
vsubpd zmm23, zmm24, zmm10
vaddpd zmm11, zmm26, zmm11
vsubpd zmm26, zmm9, zmm11
vmovupd zmmword ptr [rdi + 576], zmm26
vaddpd zmm11, zmm9, zmm11
vaddpd zmm10, zmm24, zmm10
vmovupd zmmword ptr [rdi + 64], zmm11
vsubpd zmm22, zmm17, zmm22
vaddpd zmm17, zmm3, zmm2
vmovupd zmmword ptr [rdi + 768], zmm17
vsubpd zmm2, zmm3, zmm2
vsubpd zmm8, zmm20, zmm8
vaddpd zmm12, zmm0, zmm12
vsubpd zmm0, zmm8, zmm6
vmovupd zmmword ptr [rdi + 256], zmm2
vsubpd zmm2, zmm0, zmm10
vaddpd zmm6, zmm8, zmm6
vaddpd zmm8, zmm6, zmm23
vsubpd zmm23, zmm6, zmm23
vmovapd zmm6, zmm19
vfmadd231pd zmm6, zmm23, qword ptr [rcx + 8]{1to8}
vfnmadd231pd zmm19, zmm23, qword ptr [rcx + 8]{1to8}
vmovapd zmm23, zmm22
vfnmadd231pd zmm23, zmm2, qword ptr [rcx + 8]{1to8}
vfmadd231pd zmm22, zmm2, qword ptr [rcx + 8]{1to8}
vmovupd zmmword ptr [rdi + 128], zmm22
vmovupd zmmword ptr [rdi + 960], zmm19
vaddpd zmm10, zmm0, zmm10
vmovapd zmm0, zmm18
vfmadd231pd zmm0, zmm10, qword ptr [rcx + 8]{1to8}
vmovupd zmmword ptr [rdi + 192], zmm0
vmovapd zmm0, zmm13
vfmadd231pd zmm0, zmm8, qword ptr [rcx + 8]{1to8}
vmovupd zmmword ptr [rdi + 896], zmm0
vmovupd zmmword ptr [rdi + 640], zmm23
vfnmadd231pd zmm18, zmm10, qword ptr [rcx + 8]{1to8}
vmovupd zmmword ptr [rdi + 704], zmm18
vmovupd zmmword ptr [rdi + 832], zmm7
vfnmadd231pd zmm13, zmm8, qword ptr [rcx + 8]{1to8}
vmovupd zmmword ptr [rdi + 512], zmm1
vmovupd zmmword ptr [rdi + 448], zmm6
vaddpd zmm16, zmm15, zmm16
vmovupd zmmword ptr [rdi + 0], zmm16
vmovupd zmmword ptr [rdi + 320], zmm12
vmovupd zmmword ptr [rdi + 384], zmm13
add rdi, 1024
add rsi, 112
add rdx, 896
dec r8
jnz 2b
# order 7 54 13 15 60 28 58 12 14 5 3 44 6 29 24 4 42 9 8 10 11 46 0 47 2 26 55 27 25 22 23 43 56 57 45 61 65 31 63 30 59 64 16 17 20 1 48 33 49 53 52 51 67 18 70 19 21 73 32 41 35 71 83 39 85 87 40 72 88 90 92 108 75 89 91 93 107 62 50 77 68 99 34 82 37 79 38 86 95 81 36 109 105 103 119 66 121 120 125 84 137 76 106 74 94 123 69 98 154 110 80 78 102 101 113 112 117 97 134 136 141 104 150 135 138 170 127 100 111 118 148 115 114 116 122 144 124 145 96 126 155 140 174 152 153 132 151 157 163 159 149 142 143 156 147 186 158 128 146 166 139 180 182 172 168 130 169 175 129 131 181 162 161 171 177 179 133 187 167 183 189 173 184 185 188 191 176 160 192 202 165 194 207 190 195 199 193 203 229 201 197 221 164 206 232 204 178 205 196 224 208 198 214 215 217 219 212 210 222 235 209 211 223 218 234 230 213 231 233 216 228 227 200 220 225 226
