//! The applications of `examples/`, on a few rows.
#[path = "../../examples/digits/model.rs"]
mod digits;
#[path = "../../examples/iris/model.rs"]
mod iris;

use bootes::{Ciphertexts, Client, Error, Params, Server};
use bootes_testkit::portion;
use std::error::Error as StdError;

#[test]
fn the_encrypted_tree_is_the_plain_tree() -> Result<(), Box<dyn StdError>> {
    let tree = iris::Tree::load()?;
    let flowers = tree.test_flowers();
    let plain: Vec<usize> = flowers.iter().map(|flower| tree.infer(&tree.quantise(flower))).collect();
    let right = flowers.iter().zip(&plain).filter(|(flower, plain)| flower.class == **plain).count();
    assert_eq!((right as f64 / flowers.len() as f64 * 1e4).round(), (tree.float_test_accuracy * 1e4).round());

    // Two flowers of each class.
    let client = Client::from_seed(&Params::for_bits(tree.bits())?, &[1; 32]);
    let server = iris::TreeServer::new(Server::new(client.server_key()?)?, &tree)?;
    let plain = &plain;
    let of_class = |class| (0..plain.len()).filter(move |&i| plain[i] == class).take(2);
    let rows: Vec<usize> = (0..tree.classes.len()).flat_map(of_class).collect();
    assert_eq!(rows.len(), 6);
    let features = (0..4)
        .map(|j| {
            let feature: Vec<u64> = rows.iter().map(|&i| tree.quantise(&flowers[i])[j]).collect();
            client.encrypt_bits(&feature, tree.feature_bits())
        })
        .collect::<Result<Vec<Ciphertexts>, Error>>()?;
    let classes = client.decrypt_residues(&server.classify(&features, &|_, _| {})?)?;
    assert_eq!(classes, rows.iter().map(|&i| plain[i] as u64).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn the_encrypted_network_is_the_plain_network() -> Result<(), Box<dyn StdError>> {
    let network = digits::Network::load()?;
    let images = network.test_images();
    let plain: Vec<Vec<i64>> = images.iter().map(|image| network.scores(&network.quantise(image))).collect();
    let right = images.iter().zip(&plain).filter(|(image, scores)| image.digit == digits::best(scores)).count();
    let accuracy = right as f64 / images.len() as f64;
    assert!(accuracy >= network.float_test_accuracy - 0.01, "{accuracy}");

    for (set, rows) in [("toy_8", 0..portion(4, 4) as usize), ("fhew_8bit_2m128", 4..5)] {
        let client = Client::from_seed(&Params::named(set)?, &[2; 32]);
        let server = digits::NetworkServer::new(Server::new(client.server_key()?)?, &network)?;
        for row in rows {
            let pixels = client.encrypt_bits(network.quantise(&images[row]), network.sum_bits)?;
            let results = server.scores(&pixels)?;
            let bits = results.space().bits();
            let scores = client.decrypt_residues(&results)?.into_iter().map(|score| digits::signed(score, bits));
            assert_eq!(scores.collect::<Vec<_>>(), plain[row], "{set}, image {row}");
        }
    }
    Ok(())
}
