//! Progress on a terminal, for what takes longer than two seconds.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter work shows nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// Between two drawings.
const TICK: Duration = Duration::from_millis(120);

/// A bar or spinner on standard error while it lives; nothing if that is no terminal.
pub(crate) struct Progress {
    done: Arc<AtomicUsize>,
    /// Its thread draws until the sender is dropped.
    drawing: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// A bar towards `total`.
    pub(crate) fn bar(label: &'static str, total: usize) -> Self {
        Self::bar_of(label, "values", total)
    }

    /// A bar towards `total` of these units.
    pub(crate) fn bar_of(label: &'static str, unit: &'static str, total: usize) -> Self {
        Self::start(label, Some((unit, total)))
    }

    /// A spinner.
    pub(crate) fn spinner(label: &'static str) -> Self {
        Self::start(label, None)
    }

    fn start(label: &'static str, total: Option<(&'static str, usize)>) -> Self {
        let done = Arc::new(AtomicUsize::new(0));
        let drawing = io::stderr().is_terminal().then(|| {
            let (sender, receiver) = channel();
            let seen = Arc::clone(&done);
            let thread = std::thread::Builder::new().spawn(move || {
                if receiver.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                let bar = new_bar(label, total);
                loop {
                    let done = seen.load(Ordering::Relaxed);
                    if let Some((_, total)) = total {
                        bar.set_message(remaining(bar.elapsed(), done, total));
                    }
                    bar.set_position(done as u64);
                    if receiver.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
                        break;
                    }
                }
                bar.finish_and_clear();
            });
            // Without a thread there is no bar.
            Some((sender, thread.ok()?))
        });
        Self { done, drawing: drawing.flatten() }
    }

    /// So many are done; a smaller number than before is ignored, for threads report in any order.
    pub(crate) fn set(&self, done: usize) {
        self.done.fetch_max(done, Ordering::Relaxed);
    }

    /// Whoever tells it which part of `total` is done, from 0 to 1.
    pub(crate) fn teller(&self, total: usize) -> impl Fn(f64) + Send + Sync + 'static {
        let done = Arc::clone(&self.done);
        move |part| {
            done.fetch_max((part * total as f64) as usize, Ordering::Relaxed);
        }
    }
}

/// A stream that tells a bar, in megabytes, what went through it.
pub(crate) struct Watched<'a, T> {
    inner: T,
    bytes: usize,
    bar: &'a Progress,
}

impl<'a, T> Watched<'a, T> {
    /// Tells `bar`.
    pub(crate) fn new(inner: T, bar: &'a Progress) -> Self {
        Self { inner, bytes: 0, bar }
    }

    fn moved(&mut self, bytes: usize) -> usize {
        self.bytes += bytes;
        self.bar.set(self.bytes / 1_000_000);
        bytes
    }
}

impl<T: Read> Read for Watched<'_, T> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let bytes = self.inner.read(out)?;
        Ok(self.moved(bytes))
    }
}

impl<T: Write> Write for Watched<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = self.inner.write(bytes)?;
        Ok(self.moved(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn new_bar(label: &'static str, total: Option<(&'static str, usize)>) -> ProgressBar {
    let (bar, template) = match total {
        Some((unit, total)) => (
            ProgressBar::new(total as u64),
            format!("{{spinner}} {{prefix}} [{{bar:32}}] {{pos}}/{{len}} {unit}, {{elapsed}}{{msg}}"),
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {prefix}, {elapsed}".to_string()),
    };
    // The templates are constants; were one wrong, the default style would do.
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_prefix(label).with_elapsed(PATIENCE)
}

/// The time that the rest will take, at the pace so far; nothing before the first value is done.
fn remaining(elapsed: Duration, done: usize, total: usize) -> String {
    if done == 0 {
        return String::new();
    }
    let left = elapsed.as_secs_f64() * total.saturating_sub(done) as f64 / done as f64;
    format!(", about {left:.0}s left")
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.drawing.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_so_far_goes_on() {
        assert_eq!(remaining(Duration::from_secs(2), 0, 10), "");
        assert_eq!(remaining(Duration::from_secs(2), 1, 10), ", about 18s left");
        assert_eq!(remaining(Duration::from_secs(2), 10, 10), ", about 0s left");
    }
}
