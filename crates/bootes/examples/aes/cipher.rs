//! AES-128 (FIPS 197) on plain bytes: what the client does, and what the encrypted cipher is compared with.

/// The key, first counter, data and ciphertexts of SP 800-38A, F.5.1.
pub(crate) const F51_KEY: &str = "2b7e151628aed2a6abf7158809cf4f3c";
pub(crate) const F51_COUNTER: &str = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
pub(crate) const F51_DATA: &str = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
                                   30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
pub(crate) const F51_SENT: &str = "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff\
                                   5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee";

/// Rounds.
pub(crate) const ROUNDS: usize = 10;

/// x·y modulo x^8 + x^4 + x^3 + x + 1.
pub(crate) fn product(mut x: u8, y: u8) -> u8 {
    let mut sum = 0;
    for bit in 0..8 {
        if y >> bit & 1 == 1 {
            sum ^= x;
        }
        x = x << 1 ^ if x & 0x80 != 0 { 0x1b } else { 0 };
    }
    sum
}

/// The S-box: the inverse, times a matrix, plus a constant.
pub(crate) fn s_box(x: u8) -> u8 {
    // x^254.
    let inverse = (0..253).fold(x, |power, _| product(power, x));
    (0..5).fold(0x63, |sum, turns| sum ^ inverse.rotate_left(turns))
}

/// The keys of all rounds.
pub(crate) fn round_keys(key: [u8; 16]) -> Vec<[u8; 16]> {
    let (mut keys, mut constant) = (vec![key], 1);
    for round in 0..ROUNDS {
        let last = keys[round];
        let mut next = last;
        for i in 0..4 {
            next[i] ^= s_box(last[12 + (i + 1) % 4]) ^ if i == 0 { constant } else { 0 };
        }
        for i in 4..16 {
            next[i] ^= next[i - 4];
        }
        keys.push(next);
        constant = product(constant, 2);
    }
    keys
}

/// A block under these keys.
pub(crate) fn encrypt(keys: &[[u8; 16]], block: [u8; 16]) -> [u8; 16] {
    let mut state: [u8; 16] = std::array::from_fn(|i| block[i] ^ keys[0][i]);
    for (round, key) in keys.iter().enumerate().skip(1) {
        // Byte i is that of row i mod 4 and column i/4; row r comes from r columns on.
        let moved: [u8; 16] = std::array::from_fn(|i| s_box(state[(i + 4 * (i % 4)) % 16]));
        let mixed = |i: usize| {
            let row = |r: usize| moved[i / 4 * 4 + (i + r) % 4];
            product(row(0), 2) ^ product(row(1), 3) ^ row(2) ^ row(3)
        };
        state = std::array::from_fn(|i| key[i] ^ if round < ROUNDS { mixed(i) } else { moved[i] });
    }
    state
}

/// The counter block and those after it: big-endian numbers.
pub(crate) fn counters(first: [u8; 16], count: usize) -> Vec<[u8; 16]> {
    (0..count).map(|i| u128::from_be_bytes(first).wrapping_add(i as u128).to_be_bytes()).collect()
}

/// Bytes of hexadecimal digits.
pub(crate) fn bytes(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks_exact(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// A block of hexadecimal digits.
pub(crate) fn block(digits: &str) -> [u8; 16] {
    std::array::from_fn(|i| bytes(digits)[i])
}
