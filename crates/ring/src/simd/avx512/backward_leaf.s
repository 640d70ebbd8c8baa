2:
vmovupd zmm0, zmmword ptr [rdi + 896]
vmovupd zmm1, zmmword ptr [rdi + 704]
vmovupd zmm2, zmmword ptr [rdi + 320]
vmovupd zmm3, zmmword ptr [rdi + 256]
vmovupd zmm4, zmmword ptr [rdi + 768]
vmovupd zmm5, zmmword ptr [rdi + 640]
vmovupd zmm6, zmmword ptr [rdi + 128]
vmovupd zmm7, zmmword ptr [rdi + 0]
vmovupd zmm8, zmmword ptr [rdi + 512]
vaddpd zmm9, zmm7, zmm8
vaddpd zmm10, zmm3, zmm4
vsubpd zmm11, zmm9, zmm10
vmovupd zmm12, zmmword ptr [rdi + 384]
vaddpd zmm13, zmm12, zmm0
vmovupd zmm14, zmmword ptr [rdi + 192]
vaddpd zmm15, zmm14, zmm1
vmovupd zmm16, zmmword ptr [rdi + 832]
vaddpd zmm17, zmm2, zmm16
vmovupd zmm18, zmmword ptr [rdi + 448]
vmovupd zmm19, zmmword ptr [rdi + 576]
vmovupd zmm20, zmmword ptr [rdi + 64]
vaddpd zmm21, zmm20, zmm19
vmovupd zmm22, zmmword ptr [rdi + 960]
vaddpd zmm23, zmm18, zmm22
vsubpd zmm22, zmm18, zmm22
vaddpd zmm10, zmm9, zmm10
vsubpd zmm9, zmm15, zmm23
vaddpd zmm18, zmm6, zmm5
vaddpd zmm24, zmm18, zmm13
vsubpd zmm25, zmm10, zmm24
vmulpd zmm26, zmm25, zmmword ptr [rdx + 384]
vaddpd zmm23, zmm15, zmm23
vaddpd zmm15, zmm21, zmm17
vmulpd zmm25, zmm25, zmmword ptr [rdx + 448]
vaddpd zmm27, zmm15, zmm23
vsubpd zmm17, zmm21, zmm17
vsubpd zmm0, zmm12, zmm0
vsubpd zmm12, zmm11, zmm9
vaddpd zmm9, zmm11, zmm9
vmulpd zmm11, zmm9, zmmword ptr [rdx + 192]
vsubpd zmm1, zmm14, zmm1
vmulpd zmm9, zmm9, zmmword ptr [rdx + 128]
vsubpd zmm5, zmm6, zmm5
vsubpd zmm6, zmm5, zmm22
vaddpd zmm22, zmm5, zmm22
vsubpd zmm13, zmm18, zmm13
vsubpd zmm23, zmm15, zmm23
vsubpd zmm15, zmm1, zmm0
vsubpd zmm16, zmm2, zmm16
vsubpd zmm8, zmm7, zmm8
vaddpd zmm7, zmm17, zmm13
vmulpd zmm2, zmm12, zmmword ptr [rdx + 640]
vfmadd231pd zmm2, zmm7, zmmword ptr [rdx + 704]
vaddpd zmm18, zmm8, zmm16
vaddpd zmm5, zmm15, zmm22
vmovapd zmm14, zmm18
vfmadd231pd zmm14, zmm5, qword ptr [rcx + 8]{1to8}
vfmadd231pd zmm26, zmm23, zmmword ptr [rdx + 448]
vaddpd zmm0, zmm1, zmm0
vsubpd zmm1, zmm0, zmm6
vsubpd zmm13, zmm17, zmm13
vsubpd zmm4, zmm3, zmm4
vfnmadd231pd zmm18, zmm5, qword ptr [rcx + 8]{1to8}
vsubpd zmm22, zmm15, zmm22
vsubpd zmm19, zmm20, zmm19
vaddpd zmm20, zmm19, zmm4
vmulpd zmm15, zmm18, zmmword ptr [rdx + 512]
vsubpd zmm4, zmm19, zmm4
vfmsub231pd zmm11, zmm13, zmmword ptr [rdx + 128]
vsubpd zmm16, zmm8, zmm16
vmovapd zmm8, zmm4
vfmadd231pd zmm8, zmm22, qword ptr [rcx + 8]{1to8}
vmovapd zmm19, zmm16
vfnmadd231pd zmm19, zmm1, qword ptr [rcx + 8]{1to8}
vfmadd231pd zmm16, zmm1, qword ptr [rcx + 8]{1to8}
vmulpd zmm12, zmm12, zmmword ptr [rdx + 704]
vfmsub231pd zmm12, zmm7, zmmword ptr [rdx + 640]
vfmsub231pd zmm25, zmm23, zmmword ptr [rdx + 384]
vmulpd zmm23, zmm14, zmmword ptr [rdx + 64]
vshuff64x2 zmm7, zmm25, zmm12, 221
vaddpd zmm6, zmm0, zmm6
vmulpd zmm0, zmm19, zmmword ptr [rdx + 832]
vmovapd zmm1, zmm20
vfnmadd231pd zmm1, zmm6, qword ptr [rcx + 8]{1to8}
vmulpd zmm18, zmm18, zmmword ptr [rdx + 576]
vfmadd231pd zmm20, zmm6, qword ptr [rcx + 8]{1to8}
vfnmadd231pd zmm4, zmm22, qword ptr [rcx + 8]{1to8}
vfmsub231pd zmm18, zmm4, zmmword ptr [rdx + 512]
vfmadd231pd zmm15, zmm4, zmmword ptr [rdx + 576]
vshuff64x2 zmm4, zmm27, zmm11, 221
vfmsub231pd zmm0, zmm20, zmmword ptr [rdx + 768]
vshuff64x2 zmm22, zmm18, zmm0, 221
vshuff64x2 zmm6, zmm4, zmm7, 136
vmulpd zmm5, zmm16, zmmword ptr [rdx + 320]
vfmsub231pd zmm5, zmm1, zmmword ptr [rdx + 256]
vshuff64x2 zmm3, zmm26, zmm2, 136
vfmadd231pd zmm9, zmm13, zmmword ptr [rdx + 192]
vfmsub231pd zmm23, zmm8, zmmword ptr [rdx + 0]
vshuff64x2 zmm13, zmm23, zmm5, 221
vshuff64x2 zmm17, zmm13, zmm22, 136
vmulpd zmm19, zmm19, zmmword ptr [rdx + 768]
vfmadd231pd zmm19, zmm20, zmmword ptr [rdx + 832]
vaddpd zmm24, zmm10, zmm24
vshuff64x2 zmm10, zmm24, zmm9, 136
vmulpd zmm14, zmm14, zmmword ptr [rdx + 0]
vshuff64x2 zmm20, zmm10, zmm3, 136
vshuff64x2 zmm3, zmm10, zmm3, 221
vfmadd231pd zmm14, zmm8, zmmword ptr [rdx + 64]
vmulpd zmm16, zmm16, zmmword ptr [rdx + 256]
vfmadd231pd zmm16, zmm1, zmmword ptr [rdx + 320]
vshuff64x2 zmm1, zmm14, zmm16, 136
vshuff64x2 zmm7, zmm4, zmm7, 221
vshuff64x2 zmm5, zmm23, zmm5, 136
vshuff64x2 zmm23, zmm15, zmm19, 136
vshuff64x2 zmm0, zmm18, zmm0, 136
vshuff64x2 zmm18, zmm5, zmm0, 136
vunpckhpd zmm4, zmm6, zmm17
vunpcklpd zmm17, zmm6, zmm17
vshuff64x2 zmm6, zmm1, zmm23, 221
vunpcklpd zmm8, zmm3, zmm6
vshuff64x2 zmm9, zmm24, zmm9, 221
vshuff64x2 zmm12, zmm25, zmm12, 136
vshuff64x2 zmm11, zmm27, zmm11, 136
vshuff64x2 zmm27, zmm11, zmm12, 221
vshuff64x2 zmm22, zmm13, zmm22, 221
vshuff64x2 zmm2, zmm26, zmm2, 221
vunpcklpd zmm26, zmm7, zmm22
vshuff64x2 zmm13, zmm9, zmm2, 136
vshuff64x2 zmm2, zmm9, zmm2, 221
vshuff64x2 zmm16, zmm14, zmm16, 221
vshuff64x2 zmm19, zmm15, zmm19, 221
vsubpd zmm15, zmm17, zmm4
vshuff64x2 zmm14, zmm16, zmm19, 221
vunpckhpd zmm9, zmm2, zmm14
vshuff64x2 zmm19, zmm16, zmm19, 136
vshuff64x2 zmm0, zmm5, zmm0, 221
vunpckhpd zmm5, zmm27, zmm0
vunpckhpd zmm22, zmm7, zmm22
vsubpd zmm7, zmm26, zmm22
vaddpd zmm22, zmm26, zmm22
vunpcklpd zmm26, zmm13, zmm19
vunpckhpd zmm6, zmm3, zmm6
vsubpd zmm3, zmm8, zmm6
vunpckhpd zmm19, zmm13, zmm19
vaddpd zmm13, zmm26, zmm19
vunpcklpd zmm0, zmm27, zmm0
vsubpd zmm27, zmm0, zmm5
vshuff64x2 zmm23, zmm1, zmm23, 136
vaddpd zmm6, zmm8, zmm6
vunpckhpd zmm8, zmm20, zmm23
vunpcklpd zmm23, zmm20, zmm23
vaddpd zmm20, zmm23, zmm8
vaddpd zmm1, zmm20, zmm6
vsubpd zmm6, zmm20, zmm6
vsubpd zmm8, zmm23, zmm8
vsubpd zmm23, zmm8, zmm27
vshuff64x2 zmm12, zmm11, zmm12, 136
vunpcklpd zmm14, zmm2, zmm14
vaddpd zmm2, zmm14, zmm9
vsubpd zmm9, zmm14, zmm9
vaddpd zmm14, zmm13, zmm2
vsubpd zmm11, zmm1, zmm14
vunpckhpd zmm20, zmm12, zmm18
vsubpd zmm16, zmm15, zmm9
vunpcklpd zmm18, zmm12, zmm18
vsubpd zmm19, zmm26, zmm19
vaddpd zmm5, zmm0, zmm5
vaddpd zmm0, zmm18, zmm20
vaddpd zmm26, zmm0, zmm5
vaddpd zmm4, zmm17, zmm4
vsubpd zmm17, zmm4, zmm22
vsubpd zmm12, zmm6, zmm17
vaddpd zmm9, zmm15, zmm9
vaddpd zmm22, zmm4, zmm22
vsubpd zmm4, zmm26, zmm22
vsubpd zmm5, zmm0, zmm5
vsubpd zmm20, zmm18, zmm20
vsubpd zmm2, zmm13, zmm2
vmulpd zmm13, zmm11, qword ptr [rsi + 56]{1to8}
vmulpd zmm11, zmm11, qword ptr [rsi + 48]{1to8}
vfmadd231pd zmm11, zmm4, qword ptr [rsi + 56]{1to8}
vmovupd zmmword ptr [rdi + 512], zmm11
vmulpd zmm11, zmm12, qword ptr [rsi + 88]{1to8}
vsubpd zmm18, zmm19, zmm7
vaddpd zmm17, zmm6, zmm17
vmulpd zmm6, zmm17, qword ptr [rsi + 16]{1to8}
vaddpd zmm7, zmm19, zmm7
vsubpd zmm19, zmm16, zmm7
vaddpd zmm7, zmm16, zmm7
vaddpd zmm16, zmm9, zmm18
vaddpd zmm27, zmm8, zmm27
vmovapd zmm8, zmm27
vfmadd231pd zmm8, zmm7, qword ptr [rcx + 8]{1to8}
vsubpd zmm0, zmm5, zmm2
vmulpd zmm17, zmm17, qword ptr [rsi + 24]{1to8}
vfmsub231pd zmm17, zmm0, qword ptr [rsi + 16]{1to8}
vmovupd zmmword ptr [rdi + 320], zmm17
vaddpd zmm2, zmm5, zmm2
vfmsub231pd zmm11, zmm2, qword ptr [rsi + 80]{1to8}
vfmsub231pd zmm13, zmm4, qword ptr [rsi + 48]{1to8}
vmulpd zmm12, zmm12, qword ptr [rsi + 80]{1to8}
vfnmadd231pd zmm27, zmm7, qword ptr [rcx + 8]{1to8}
vmulpd zmm7, zmm27, qword ptr [rsi + 64]{1to8}
vmulpd zmm27, zmm27, qword ptr [rsi + 72]{1to8}
vmovupd zmmword ptr [rdi + 576], zmm13
vsubpd zmm18, zmm9, zmm18
vmovapd zmm9, zmm23
vfmadd231pd zmm9, zmm18, qword ptr [rcx + 8]{1to8}
vfmadd231pd zmm6, zmm0, qword ptr [rsi + 24]{1to8}
vmovupd zmmword ptr [rdi + 256], zmm6
vaddpd zmm22, zmm26, zmm22
vmovupd zmmword ptr [rdi + 832], zmm11
vmulpd zmm11, zmm9, qword ptr [rsi + 32]{1to8}
vfnmadd231pd zmm23, zmm18, qword ptr [rcx + 8]{1to8}
vmulpd zmm18, zmm23, qword ptr [rsi + 104]{1to8}
vaddpd zmm26, zmm20, zmm3
vmovapd zmm6, zmm26
vfnmadd231pd zmm6, zmm16, qword ptr [rcx + 8]{1to8}
vfmadd231pd zmm11, zmm6, qword ptr [rsi + 40]{1to8}
vsubpd zmm3, zmm20, zmm3
vmovupd zmmword ptr [rdi + 384], zmm11
vmovapd zmm11, zmm3
vfnmadd231pd zmm11, zmm19, qword ptr [rcx + 8]{1to8}
vfmadd231pd zmm26, zmm16, qword ptr [rcx + 8]{1to8}
vfmsub231pd zmm18, zmm26, qword ptr [rsi + 96]{1to8}
vmovupd zmmword ptr [rdi + 960], zmm18
vmovupd zmmword ptr [rdi + 64], zmm22
vfmsub231pd zmm27, zmm11, qword ptr [rsi + 64]{1to8}
vfmadd231pd zmm12, zmm2, qword ptr [rsi + 88]{1to8}
vmovupd zmmword ptr [rdi + 768], zmm12
vmulpd zmm23, zmm23, qword ptr [rsi + 96]{1to8}
vfmadd231pd zmm23, zmm26, qword ptr [rsi + 104]{1to8}
vmovupd zmmword ptr [rdi + 896], zmm23
vfmadd231pd zmm7, zmm11, qword ptr [rsi + 72]{1to8}
vmovupd zmmword ptr [rdi + 640], zmm7
vmulpd zmm7, zmm8, qword ptr [rsi + 8]{1to8}
vfmadd231pd zmm3, zmm19, qword ptr [rcx + 8]{1to8}
vfmsub231pd zmm7, zmm3, qword ptr [rsi + 0]{1to8}
vaddpd zmm14, zmm1, zmm14
vmulpd zmm8, zmm8, qword ptr [rsi + 0]{1to8}
vfmadd231pd zmm8, zmm3, qword ptr [rsi + 8]{1to8}
vmulpd zmm9, zmm9, qword ptr [rsi + 40]{1to8}
vfmsub231pd zmm9, zmm6, qword ptr [rsi + 32]{1to8}
vmovupd zmmword ptr [rdi + 448], zmm9
vmovupd zmmword ptr [rdi + 192], zmm7
vmovupd zmmword ptr [rdi + 0], zmm14
vmovupd zmmword ptr [rdi + 704], zmm27
vmovupd zmmword ptr [rdi + 128], zmm8
add rdi, 1024
add rsi, 112
add rdx, 896
dec r8
jnz 2b
# order 15 10 4 5 13 11 3 1 9 17 21 35 7 29 2 24 12 20 6 8 0 16 14 28 30 33 38 25 37 51 82 36 32 80 48 34 31 55 53 72 26 74 27 47 45 39 50 44 22 19 54 90 91 41 57 59 83 46 63 52 23 61 56 18 42 86 40 73 43 58 67 65 88 89 81 68 99 62 92 64 84 66 60 85 87 98 93 115 101 76 77 105 75 69 114 117 94 95 49 104 70 108 110 71 78 79 120 103 112 121 113 116 134 132 126 137 106 97 96 102 119 107 140 109 111 122 123 154 127 143 125 118 138 142 158 156 133 139 151 135 153 136 150 124 149 131 129 145 161 163 147 171 100 141 157 159 165 179 130 172 128 155 148 144 160 152 166 183 174 164 178 162 146 167 208 210 211 233 216 175 181 202 173 184 185 190 169 187 180 200 201 228 182 217 209 218 189 214 212 232 191 193 203 229 176 236 206 195 220 170 192 207 168 231 188 194 221 238 224 213 219 237 222 223 239 215 235 196 186 197 177 198 199 204 205 230 226 225 234 227
