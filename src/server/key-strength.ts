/** How hard a secret key is to guess, judged by its text alone. */
import { deflateRawSync } from 'node:zlib'

/** A random key of 32 hexadecimal digits has 95 to 128 of them. */
const BITS_LEAST = 72
/** The same key packs into 30 bytes at least; one that repeats itself into fewer. */
const PACKED_BYTES_LEAST = 24

/**
 * Whether a key is made of few different characters (`aaaa…`), of a row of them (`abcdef…`) or of a repeated piece (`changeme-changeme…`).
 * It cannot distinguish a sentence that a person made up from random characters.
 */
export function isWeakKey(key: string): boolean {
  const codes = Array.from(key, (letter) => letter.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, at) => code - (codes[at] ?? 0))
  return bitsOf(codes) < BITS_LEAST || bitsOf(steps) < BITS_LEAST || deflateRawSync(key).length < PACKED_BYTES_LEAST
}

/** Shannon's entropy of the values, times how many there are. */
function bitsOf(values: readonly number[]): number {
  const counts = Map.groupBy(values, (value) => value)
  return -[...counts.values()].reduce((sum, { length }) => sum + length * Math.log2(length / values.length), 0)
}
