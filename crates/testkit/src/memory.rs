//! A search of the memory of the process for what should be gone from it (Linux).
use std::collections::HashSet;
use std::fs::{File, read_to_string};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// Bytes that are looked for, in a disguise: what searches must not hold them.
pub struct Pattern {
    name: &'static str,
    disguised: Vec<u8>,
    extent: Extent,
}

/// How much of a pattern must be in one place.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    All,
    /// Four numbers of 64 bits in a row: what an operation had no registers for.
    AnyFour,
}

/// Not its own inverse: a disguise that is found and disguised is no secret either.
fn disguise(byte: u8) -> u8 {
    byte.wrapping_add(0xa5)
}

/// Memory is searched in pieces of so many bytes, and a pattern is at most as long as what follows of the next.
const PIECE: usize = 1 << 20;
const OVERLAP: usize = 1 << 10;

impl Pattern {
    /// All of `words`, one after another.
    ///
    /// # Panics
    /// If that is nothing, or more than 1 KB.
    pub fn new<const N: usize>(name: &'static str, words: impl ExactSizeIterator<Item = [u8; N]>) -> Self {
        let mut disguised = vec![0; N * words.len()];
        assert!((1..=OVERLAP).contains(&disguised.len()), "{name}: {} bytes", disguised.len());
        for (out, word) in disguised.chunks_exact_mut(N).zip(words) {
            out.iter_mut().zip(word).for_each(|(out, byte)| *out = disguise(byte));
        }
        Self { name, disguised, extent: Extent::All }
    }

    /// All of `values`.
    pub fn floats(name: &'static str, values: &[f64]) -> Self {
        Self::new(name, values.iter().map(|x| x.to_le_bytes()))
    }

    /// Any four of `values` that follow each other.
    pub fn any_four(name: &'static str, values: &[f64]) -> Self {
        assert!(values.len() >= 4, "{name}: {} numbers", values.len());
        // Numbers are looked for four at a time, however many there are.
        let disguised = values.iter().flat_map(|x| x.to_le_bytes().map(disguise)).collect();
        Self { name, disguised, extent: Extent::AnyFour }
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Places below `starts` in `memory`, which begins at the address of a whole number.
    fn count(&self, memory: &[u8], starts: usize) -> usize {
        match self.extent {
            Extent::All => self.count_all(memory, starts),
            Extent::AnyFour => self.count_fours(memory, starts),
        }
    }

    fn count_all(&self, memory: &[u8], starts: usize) -> usize {
        let same = |window: &&[u8]| window.iter().zip(&self.disguised).all(|(&x, &y)| disguise(x) == y);
        memory.windows(self.disguised.len()).take(starts).filter(same).count()
    }

    fn count_fours(&self, memory: &[u8], starts: usize) -> usize {
        let disguised = |four: &[u8]| -> [u8; 32] { std::array::from_fn(|i| disguise(four[i])) };
        let windows = self.disguised.windows(32).step_by(8);
        let fours: HashSet<[u8; 32]> = windows.map(|four| four.try_into().expect("32 bytes")).collect();
        // Nearly all of memory is refused by two bytes of the first number's mantissa.
        let mut firsts = vec![false; 1 << 16];
        let key = |bytes: [u8; 2]| usize::from(u16::from_le_bytes(bytes));
        fours.iter().for_each(|four| firsts[key([four[3], four[4]])] = true);
        let likely = |window: &&[u8]| firsts[key([disguise(window[3]), disguise(window[4])])];
        let places = memory.windows(32).take(starts).step_by(8).filter(likely);
        places.filter(|window| fours.contains(&disguised(window))).count()
    }
}

/// How often each pattern is anywhere in memory that this process can write.
///
/// One search at a time: what another one has read would be found.
///
/// # Errors
/// The error of the system where it shows no process its memory.
pub fn search_memory(patterns: &[Pattern]) -> io::Result<Vec<usize>> {
    static SEARCHING: Mutex<()> = Mutex::new(());
    let _alone = SEARCHING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut buffer = Zeroizing::new(vec![0u8; PIECE + OVERLAP]);
    let own = buffer.as_ptr() as usize..buffer.as_ptr() as usize + buffer.len();
    let mut memory = File::open("/proc/self/mem")?;
    let mut counts = vec![0; patterns.len()];
    for line in read_to_string("/proc/self/maps")?.lines() {
        let mut fields = line.split_whitespace();
        let (range, rights) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
        let bounds = range.split_once('-').map(|(from, to)| [from, to].map(|x| usize::from_str_radix(x, 16)));
        let Some([Ok(from), Ok(to)]) = bounds else { continue };
        if !rights.starts_with("rw") {
            continue;
        }
        for start in (from..to).step_by(PIECE) {
            let len = (PIECE + OVERLAP).min(to - start);
            memory.seek(SeekFrom::Start(start as u64))?;
            // Some mappings cannot be read.
            if memory.read_exact(&mut buffer[..len]).is_err() {
                break;
            }
            // The buffer sees itself.
            for address in own.start.max(start)..own.end.min(start + len) {
                buffer[address - start] = 0;
            }
            for (count, pattern) in counts.iter_mut().zip(patterns) {
                *count += pattern.count(&buffer[..len], PIECE);
            }
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match on the edge of a piece belongs to the one where it starts.
    #[test]
    fn a_place_is_counted_in_one_piece() {
        let words: Vec<[u8; 8]> = (1..=128u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()).collect();
        let floats: Vec<f64> = words.iter().map(|&word| f64::from_le_bytes(word)).collect();
        let (all, fours) = (Pattern::new("all", words.iter().copied()), Pattern::any_four("four", &floats[..4]));
        for (start, counts) in [(0, [1, 1]), (PIECE - 8, [1, 1]), (PIECE - 512, [1, 1]), (PIECE, [0, 0])] {
            let mut memory = vec![0; PIECE + OVERLAP];
            memory[start..start + 1024].copy_from_slice(words.as_flattened());
            assert_eq!([&all, &fours].map(|pattern| pattern.count(&memory, PIECE)), counts, "{start}");
        }
    }
}
