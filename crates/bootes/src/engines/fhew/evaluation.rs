//! Evaluation in batches: what is at hand is expanded, the rest waits as it came, and results leave as they come.
use crate::engines::watch::Watch;
use crate::engines::{EngineCiphertexts, EngineReader, EngineServer};
use crate::fhew::ciphertexts::{CiphertextWriter, identify_results};
use crate::fhew::samples::{Form, Layout, Source};
use crate::fhew::words::{Word, of_words};
use crate::fhew::{CiphertextReader, Ciphertexts, Plan, Server};
use crate::memory::{Room, reserved_as};
use crate::origin::Origin;
use crate::threads::useful;
use crate::{Error, Space};
use bootes_lattice::keyswitch;
use bootes_lut::fhew::circuit::{InputVariance, Step};
use bootes_lut::fhew::eval::{self, BATCH, Workspace};
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::iter;
use std::slice;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

impl Server {
    /// Applies any plan: its operands, vectors of one length, to its results, one vector each.
    ///
    /// # Errors
    /// As [`Self::evaluate_to`]; [`Error::CiphertextMemory`] if the results do not fit into memory, before anything is
    /// done.
    pub(crate) fn evaluate_operands(
        &self,
        plan: &Plan,
        operands: &[&Ciphertexts],
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<Ciphertexts>, Error> {
        of_words!(&self.key, key => self.evaluate_with(key, plan, operands, threads, watch))
    }

    fn evaluate_with<W: Word>(
        &self,
        key: &PreparedEvaluationKey<W>,
        plan: &Plan,
        operands: &[&Ciphertexts],
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<Ciphertexts>, Error> {
        self.check_operands(plan, operands)?;
        let (count, length) = (operands[0].len(), Layout::of(&key.params).bytes(&Form::Full));
        let limbs: usize = plan.out_spaces.iter().map(|space| space.limbs()).sum();
        let held = self.key_bytes() as u64 + plan.bytes() + operands.iter().map(|operand| operand.bytes()).sum::<u64>();
        let results = (count as u64).saturating_mul(limbs as u64).saturating_mul(length as u64);
        // With a thread that takes value by value, the least: as much as is told is enough.
        let least = workspace_bytes(key, slice::from_ref(plan), 1, 1);
        Room::now(self.memory).check(held, results.saturating_add(least)).map_err(|error| match error {
            Error::Memory { needed, available } => Error::CiphertextMemory { needed, available },
            error => error,
        })?;
        let evaluation =
            self.evaluation(key, slice::from_ref(plan), (operands, count), threads, [held, results], watch)?;
        let (mut all, mut first) = (Vec::new(), Vec::new());
        for space in &plan.out_spaces {
            all.push(reserved_as(count * space.limbs(), length)?);
        }
        let stride = evaluation.stride;
        let sources = operands.iter().map(|operand| operand.cursor()).collect();
        evaluation.run(sources, |results| {
            if first.is_empty() {
                first.extend_from_slice(&results[0][..stride]);
            }
            all.iter_mut().zip(&results).for_each(|(all, results)| W::put(results, all));
            Ok(())
        })?;
        let heads = self.heads(plan, operands, &first);
        Ok(heads.into_iter().zip(all).map(|(head, bytes)| head.with_words(bytes)).collect())
    }

    /// Applies plans of the same inputs from files to files, of which a few values at a time are in memory. `inputs`
    /// are their operands, vectors of one length; `outputs` take the results of one after the other, and are given
    /// back. Files are as those of [`crate::Ciphertexts::save`].
    ///
    /// # Errors
    /// [`Error::OperandCount`], [`Error::ResultCount`], [`Error::Plan`],
    /// [`Error::OtherParams`], [`Error::OtherKey`] for what the plan was not made for; [`Error::Memory`] before
    /// anything is done; [`Error::Threads`]; and [`Error::Stream`], where what was written is worth nothing: inputs
    /// that turn out to be damaged, too.
    pub(crate) fn evaluate_to<R: Read + Send, W: Write>(
        &self,
        plans: &[Plan],
        inputs: Vec<CiphertextReader<R>>,
        outputs: Vec<W>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<W>, Error> {
        of_words!(&self.key, key => self.evaluate_streams(key, plans, inputs, outputs, threads, watch))
    }

    fn evaluate_streams<T: Word, R: Read + Send, W: Write>(
        &self,
        key: &PreparedEvaluationKey<T>,
        plans: &[Plan],
        inputs: Vec<CiphertextReader<R>>,
        outputs: Vec<W>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<W>, Error> {
        let heads: Vec<Ciphertexts> = inputs.iter().map(|input| input.head().clone()).collect();
        let operands: Vec<&Ciphertexts> = heads.iter().collect();
        plans.iter().try_for_each(|plan| self.check_operands(plan, &operands))?;
        let count = inputs[0].len();
        if let Some(input) = inputs.iter().find(|input| input.len() != count) {
            return Err(self.other_length(&plans[0], input.len(), count));
        }
        let (found, expected) = (plans.iter().map(|plan| plan.out_spaces.len()).sum(), outputs.len());
        if found != expected {
            return Err(Error::ResultCount { found, expected });
        }
        let held = self.key_bytes() as u64 + plans.iter().map(Plan::bytes).sum::<u64>();
        let evaluation = self.evaluation(key, plans, (&operands, count), threads, [held, 0], watch)?;
        let stride = evaluation.stride;
        let begin = |outputs: Vec<W>, results: &[Vec<T>]| {
            let (mut heads, mut rest) = (Vec::new(), results);
            for plan in plans {
                let first = rest.first().map_or(&[][..], |first| &first[..stride]);
                heads.extend(self.heads(plan, &operands, first));
                rest = rest.get(plan.out_spaces.len()..).unwrap_or_default();
            }
            let writers = outputs.into_iter().zip(&heads).map(|(out, head)| CiphertextWriter::new(out, head, count));
            writers.collect::<Result<Vec<_>, Error>>()
        };
        // A plan's first result names them all, so that the heads wait for it.
        let (mut waiting, mut writers) = (Some(outputs), Vec::new());
        let inputs = evaluation.run(inputs, |results| {
            if let Some(outputs) = waiting.take() {
                writers = begin(outputs, &results)?;
            }
            writers.iter_mut().zip(&results).try_for_each(|(out, results)| out.put_words(results))
        })?;
        inputs.into_iter().try_for_each(|input| input.finish().map(drop))?;
        if let Some(outputs) = waiting {
            writers = begin(outputs, &[])?;
        }
        writers.into_iter().map(CiphertextWriter::finish).collect()
    }

    /// An evaluation that fits: with fewer threads than asked for, or smaller batches, where there is no room for them
    /// beside what is held.
    fn evaluation<'a, W: Word>(
        &self,
        key: &'a PreparedEvaluationKey<W>,
        plans: &'a [Plan],
        (operands, count): (&[&Ciphertexts], usize),
        threads: usize,
        held: [u64; 2],
        watch: &'a Watch<'a>,
    ) -> Result<Evaluation<'a, W>, Error> {
        if threads == 0 {
            return Err(Error::Threads);
        }
        let room = Room::now(self.memory);
        let stride = key.shape().lwe_dimension() + 1;
        let bytes = |threads: usize, batch: usize| workspace_bytes(key, plans, threads, batch);
        // Small jobs are split evenly; large ones in batches, taken by whichever thread is free.
        let threads = useful(threads);
        let batch = count.div_ceil(threads).clamp(1, BATCH);
        let threads = threads.min(count.div_ceil(batch).max(1));
        let fits = |&(threads, batch): &(usize, usize)| room.check(held[0], held[1] + bytes(threads, batch)).is_ok();
        let fewer = (1..=threads).rev().map(|threads| (threads, batch));
        let found = fewer.chain((1..batch).rev().map(|batch| (1, batch))).find(fits);
        let (threads, batch) = match found {
            Some(found) => found,
            None => room.check(held[0], held[1] + bytes(1, 1)).map(|()| (1, 1))?,
        };
        let lineages = operands.iter().map(|operand| &operand.origin().lineage);
        let words = lineages.flat_map(|lineage| iter::once(lineage.len() as u64).chain(lineage.iter().copied()));
        // Whoever chooses a table after the selectors of its tree are known may do so step by step: another table has
        // others.
        let looked_up = plans.iter().flat_map(|plan| plan.table.circuit.steps()).filter_map(|step| match step {
            Step::LookUp(look_up) => Some(look_up.tables.iter().flat_map(|(_, values)| values.iter().copied())),
            _ => None,
        });
        let id = keyswitch::Evaluation::of(words.chain(looked_up.flatten()));
        Ok(Evaluation { key, plans, id, stride, count, threads, batch, watch })
    }

    /// Results in name alone, ciphertexts of zeros, to plan what follows.
    pub(super) fn nothing_of(&self, plan: &Plan, operands: &[&Ciphertexts]) -> Vec<Ciphertexts> {
        let (count, length) = (operands[0].len(), Layout::of(plan.params()).bytes(&Form::Full));
        let filled = |head: Ciphertexts| {
            let bytes = vec![0; count * head.space().limbs() * length];
            head.with_words(bytes)
        };
        self.heads::<u64>(plan, operands, &[]).into_iter().map(filled).collect()
    }

    /// None of the results, but what is known of all; `first` is the first ciphertext of the first of them.
    fn heads<W: Word>(&self, plan: &Plan, operands: &[&Ciphertexts], first: &[W]) -> Vec<Ciphertexts> {
        let params = plan.params();
        // Results of one circuit share rotations, so their noise has one origin; and vectors that share some of their
        // ciphertexts, as x and x + c do where c is 0, have some results in common: they are known by what both come
        // from.
        let (given, _) = Origin::of_all(operands.iter().map(|operand| operand.origin()));
        let mut origin = Origin::new(identify_results(first)).and(&given);
        // A rotation makes noises independent, whatever the masks: each value is dithered by its number. A product of
        // equal masks does not, and which are nearly equal after sums and files nobody knows.
        origin.dependent = given.dependent && plan.passes_noise || plan.table.circuit.multiplies();
        // Errors at the kinks of a function are no noise around 0: in sums they add up.
        if plan.out_spaces.iter().any(|space| space.is_approximate()) {
            origin = origin.biased();
        }
        // Tables have 64 bits, which fractions of other denominators do not fit: what a multi-value bootstrap makes of
        // that is 2^-46 at most, alike in all results.
        let fits = |space: &Space| space.moduli().iter().all(|p| p.is_power_of_two());
        let inexact = params.word_bits() > 64 && !plan.out_spaces.iter().all(fits);
        if inexact {
            origin = origin.biased();
        }
        let inexact = if inexact { 2f64.powi(-92) } else { 0.0 };
        // One a limb of each result.
        let bounds = plan.noise().bound_variances.iter();
        let mut variances = bounds.map(|variance| variance.max(params.fresh_variance()) + inexact);
        let head = |&space: &Space| {
            let limbs: Vec<f64> = variances.by_ref().take(space.limbs()).collect();
            let variance = InputVariance::of_each(limbs);
            Ciphertexts::head(params, self.key_id(), space, variance, origin.clone())
        };
        plan.out_spaces.iter().map(head).collect()
    }
}

/// Bytes of so many threads at work on so many values each.
fn workspace_bytes<W: Word>(key: &PreparedEvaluationKey<W>, plans: &[Plan], threads: usize, batch: usize) -> u64 {
    let (stride, circuits) = (key.shape().lwe_dimension() + 1, plans.iter().map(|plan| &plan.table.circuit));
    // What a thread expands and gets, and what waits for its turn.
    let outputs: usize = circuits.clone().map(|circuit| circuit.outputs().len()).sum();
    let ciphertexts = 3 * plans[0].table.circuit.inputs() + (2 + WAITING) * outputs;
    let workspaces = circuits.map(|circuit| Workspace::bytes(key, circuit, batch));
    let workspace = workspaces.sum::<usize>() + size_of::<W>() * stride * batch * ciphertexts;
    threads as u64 * workspace as u64
}

/// Batches of results, for each thread, that may wait for an earlier one.
const WAITING: usize = 2;

/// Plans of the same inputs, `count` values.
struct Evaluation<'a, W: Word> {
    key: &'a PreparedEvaluationKey<W>,
    plans: &'a [Plan],
    /// By what its operands come from, and each value by its ciphertexts: what is alike in both has results that meet.
    id: keyswitch::Evaluation,
    /// Words of a ciphertext.
    stride: usize,
    count: usize,
    threads: usize,
    batch: usize,
    watch: &'a Watch<'a>,
}

/// The state that the threads share.
struct Shared<S, W> {
    sources: Vec<S>,
    /// Batches that were taken.
    taken: usize,
    /// Batches whose results have left.
    left: usize,
    /// Results that wait for earlier ones.
    waiting: BTreeMap<usize, Vec<Vec<W>>>,
    failed: Option<Error>,
    /// Nothing more is to be done.
    stopped: bool,
}

/// [`Shared`], and a bell that rings when it changes.
struct Desk<S, W>(Mutex<Shared<S, W>>, Condvar);

impl<S, W> Desk<S, W> {
    fn lock(&self) -> MutexGuard<'_, Shared<S, W>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something can be done, or nothing is to be done any more.
    fn wait_until(&self, ready: impl Fn(&Shared<S, W>) -> bool) -> MutexGuard<'_, Shared<S, W>> {
        let waits = |shared: &mut Shared<S, W>| !shared.stopped && !ready(shared);
        self.1.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self, error: Option<Error>) {
        let mut shared = self.lock();
        shared.stopped = true;
        shared.failed = shared.failed.take().or(error);
        self.1.notify_all();
    }
}

/// Stops the others when a thread panics, who would wait for its results.
struct Alarm<'a, S, W>(&'a Desk<S, W>);

impl<S, W> Drop for Alarm<'_, S, W> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop(None);
        }
    }
}

impl<'p, W: Word> Evaluation<'p, W> {
    fn batches(&self) -> usize {
        self.count.div_ceil(self.batch)
    }

    /// Evaluates batches of `sources` and hands their results, one vector a result of each plan, to `sink` in the order
    /// of the values, on the caller's thread. Gives the sources back.
    fn run<'a, S: Source<'a> + Send>(
        &self,
        sources: Vec<S>,
        mut sink: impl FnMut(Vec<Vec<W>>) -> Result<(), Error>,
    ) -> Result<Vec<S>, Error> {
        let shared = Shared { sources, taken: 0, left: 0, waiting: BTreeMap::new(), failed: None, stopped: false };
        let desk = Desk(Mutex::new(shared), Condvar::new());
        std::thread::scope(|scope| {
            for started in 0..self.threads {
                // Where the system starts no more threads, those that there are do the work.
                if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, || self.work(&desk)) {
                    if started == 0 {
                        return desk.stop(Some(Error::ThreadPool { threads: 1, reason: error.to_string() }));
                    }
                    break;
                }
            }
            let _alarm = Alarm(&desk);
            for number in 0..self.batches() {
                let results = desk.wait_until(|shared| shared.waiting.contains_key(&number)).waiting.remove(&number);
                let Some(results) = results else { return };
                if let Err(error) = sink(results) {
                    return desk.stop(Some(error));
                }
                desk.lock().left += 1;
                desk.1.notify_all();
                let done = ((number + 1) * self.batch).min(self.count);
                (self.watch.progress)(done as f64 / self.count as f64);
            }
        });
        let shared = desk.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        shared.failed.map_or(Ok(shared.sources), Err)
    }

    /// Takes batches as long as there are any.
    fn work<'a, S: Source<'a>>(&self, desk: &Desk<S, W>) {
        let _alarm = Alarm(desk);
        let (stride, batches) = (self.stride, self.batches());
        let in_limbs: Vec<usize> = self.plans[0].in_spaces.iter().map(|space| space.limbs()).collect();
        let mut inputs = vec![vec![W::default(); self.batch * stride]; in_limbs.iter().sum()];
        let of_plan = |plan: &'p Plan| {
            let circuit = &plan.table.circuit;
            let outputs = vec![vec![W::default(); self.batch * stride]; circuit.outputs().len()];
            (plan, outputs, Workspace::new(self.key, circuit, self.batch).cancelled_by(self.watch.cancel))
        };
        let mut plans: Vec<_> = self.plans.iter().map(of_plan).collect();
        let mut values = Vec::new();
        loop {
            // Nobody gets far ahead of a batch that takes long.
            let most = (1 + WAITING) * self.threads;
            let mut shared = desk.wait_until(|shared| shared.taken == batches || shared.taken - shared.left < most);
            if shared.stopped || shared.taken == batches {
                return;
            }
            let number = shared.taken;
            shared.taken += 1;
            let count = self.batch.min(self.count - number * self.batch);
            let sources = shared.sources.iter_mut().zip(&in_limbs);
            let pieces = sources.map(|(source, limbs)| source.next(count * limbs));
            let pieces = pieces.collect::<Result<Vec<_>, _>>();
            drop(shared);
            let pieces = match pieces {
                Ok(pieces) => pieces,
                Err(error) => return desk.stop(Some(error)),
            };
            let mut rest = &mut inputs[..];
            for (piece, &limbs) in pieces.iter().zip(&in_limbs) {
                let (own, others) = std::mem::take(&mut rest).split_at_mut(limbs);
                rest = others;
                values.resize(count * limbs * stride, W::default());
                piece.expand_into(&mut values);
                each_limb(&mut values, own, stride, |value, limb| limb.copy_from_slice(value));
            }
            let inputs: Vec<&[W]> = inputs.iter().map(|input| &input[..count * stride]).collect();
            let mut results = Vec::new();
            for (plan, outputs, workspace) in &mut plans {
                let mut outs: Vec<&mut [W]> = outputs.iter_mut().map(|out| &mut out[..count * stride]).collect();
                workspace.number(self.id, (number * self.batch) as u64);
                eval::eval_into(&mut outs, &plan.table, &inputs, self.key, workspace);
                if self.watch.cancel.is_cancelled() {
                    return desk.stop(Some(Error::Cancelled));
                }
                let mut rest = &mut outputs[..];
                results.extend(plan.out_spaces.iter().map(|space| {
                    let (limbs, others) = std::mem::take(&mut rest).split_at_mut(space.limbs());
                    rest = others;
                    let mut result = vec![W::default(); count * space.limbs() * stride];
                    each_limb(&mut result, limbs, stride, |value, limb| value.copy_from_slice(limb));
                    result
                }));
            }
            desk.lock().waiting.insert(number, results);
            desk.1.notify_all();
        }
    }
}

/// Pairs the ciphertexts of values, their limbs side by side, with those of each limb.
fn each_limb<W>(values: &mut [W], limbs: &mut [Vec<W>], stride: usize, pair: impl Fn(&mut [W], &mut [W])) {
    for (i, ciphertext) in values.chunks_exact_mut(stride).enumerate() {
        let (value, limb) = (i / limbs.len(), i % limbs.len());
        pair(ciphertext, &mut limbs[limb][value * stride..(value + 1) * stride]);
    }
}
