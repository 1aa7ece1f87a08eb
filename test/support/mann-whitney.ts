/** Returns the probability that two samples come from one distribution, whatever its shape: the two-sided Mann-Whitney U test with ties. */
export function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, own: true })), ...other.map((value) => ({ value, own: false }))].toSorted(
    (a, b) => a.value - b.value,
  )
  let rankSum = 0
  let ties = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to++
    const count = to - from
    const rank = (from + 1 + to) / 2
    rankSum += rank * all.slice(from, to).filter(({ own }) => own).length
    ties += count ** 3 - count
    from = to
  }
  const [n, m, total] = [one.length, other.length, all.length]
  const u = rankSum - (n * (n + 1)) / 2
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))))
  return deviation === 0 ? 1 : 2 * (1 - normal(Math.abs(u - (n * m) / 2) / deviation))
}

/** Returns the normal distribution's share below z (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * z)
  const sum = t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
