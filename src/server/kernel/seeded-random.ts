/** Returns pseudorandom numbers from 0 to 1 that are always the same for the same text (FNV-1a, then mulberry32). For made-up data only. */
export function seededRandom(text: string): () => number {
  let state = hashOf(text)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns a number of `digits` digits derived from the text. */
export function digitsOf(text: string, digits: number): string {
  const random = seededRandom(text)
  return Array.from({ length: digits }, (_, place) => String(Math.floor(random() * (place === 0 ? 9 : 10)) + (place === 0 ? 1 : 0))).join(
    '',
  )
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  return hash
}
