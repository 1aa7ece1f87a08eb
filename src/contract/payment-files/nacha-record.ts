/** Records of 94 characters, written field by field. A value that does not fit throws: nothing is cut and no column shifts. */

export const recordLength = 94
export const recordsPerBlock = 10

/** Left-justified text, padded with spaces. */
export function words(value: string, length: number): string {
  if (value.length > length) throw new RangeError(`not a text of at most ${length} characters: ${value.length}`)
  return value.padEnd(length)
}

/** Right-justified whole number, padded with zeros. */
export function digits(value: number, length: number): string {
  const text = String(value)
  if (!Number.isSafeInteger(value) || value < 0 || text.length > length)
    throw new RangeError(`not a number of at most ${length} digits: ${text}`)
  return text.padStart(length, '0')
}

/** Returns a text of digits that must have exactly this length. */
export function code(value: string, length: number): string {
  if (value.length !== length) throw new RangeError(`not ${length} characters`)
  return value
}

export function record(...fields: readonly string[]): string {
  const line = fields.join('')
  if (/[^\x20-\x7e]/.test(line)) throw new RangeError('a record with a character that is not plain')
  if (line.length !== recordLength) throw new RangeError(`a record of ${line.length} characters`)
  return line
}
