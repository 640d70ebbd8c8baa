//! scratch
use bootes::*;
use std::time::Instant;
fn main() -> Result<(), Error> {
    let name = std::env::args().nth(1).unwrap();
    let count: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let params = Params::by_name(&name)?;
    let t = Instant::now();
    let client = Client::from_seed(&params, [7; 32]);
    let sk = client.server_key()?;
    println!("keygen {:?}", t.elapsed());
    let t = Instant::now();
    let server = Server::new(sk)?;
    println!("expand {:?} {} MB", t.elapsed(), server.key_bytes() / 1000000);
    let bits = params.bits();
    let values: Vec<u64> = (0..count as u64).map(|i| (i * 37) % (1 << bits)).collect();
    let lut = Lut::with_out_bits((0..1u64 << bits).map(|x| (x * x * 7 + x * 3 + (x >> 2)) % (1 << bits)).collect(), bits)?;
    let cts = client.encrypt(&values)?;
    for _ in 0..4 {
    let plan = server.plan(&lut, &cts, std::env::args().nth(3).as_deref())?;
    println!("{plan}");
    let t = Instant::now();
    let out = server.evaluate_plan(&plan, &cts, 1, &|_| {})?;
    let ms = t.elapsed().as_secs_f64() * 1e3 / count as f64;
    let dec = client.decrypt(&out)?;
    let expected: Vec<u64> = values.iter().map(|&v| lut.values()[v as usize]).collect();
    let wrong = dec.iter().zip(&expected).filter(|(a, b)| a != b).count();
    let noise = client.measure_noise(&out, &expected)?;
    let std = (noise.iter().map(|e| e * e).sum::<f64>() / count as f64).sqrt();
    println!("{ms:.3} ms/value, wrong {wrong}, noise std 2^{:.2}, predicted 2^{:.2}", std.log2(), plan.noise().output_variance.log2() / 2.0);
    }
    Ok(())
}
