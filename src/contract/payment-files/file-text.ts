/** Text as banks take it: upper case without accents, and of the other characters those alone that the bank of a profile allows. */

export type CharacterSet = 'standard' | 'narrow'

/** Delimiters of addenda are in neither. */
const refused: Readonly<Record<CharacterSet, RegExp>> = {
  standard: /[^A-Z0-9 .\-/&',()#]/gu,
  narrow: /[^A-Z0-9 .\-']/gu,
}
/** Letters that no decomposition turns into plain ones. */
const plain: Readonly<Record<string, string>> = {
  ß: 'SS',
  Æ: 'AE',
  Ø: 'O',
  Œ: 'OE',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
}

/** The text in the bank's characters, without runs of spaces. Empty where nothing of it can be written. */
export function bankText(written: string, set: CharacterSet): string {
  const folded = written
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^\x20-\x7e]/gu, (letter) => plain[letter] ?? ' ')
  return folded.replaceAll(refused[set], ' ').replaceAll(/ +/g, ' ').trim()
}

/** The first characters of a name, without a space at the end. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).trimEnd()
}

/** An account number as files carry it: without spaces, hyphens kept. */
export function accountDigits(written: string): string {
  return written.replaceAll(/\s/g, '').toUpperCase()
}

/** At most the last four characters of a number, and never more than half of it. */
export function lastFour(number: string | null): string | null {
  return number === null ? null : number.slice(number.length - Math.min(4, Math.floor(number.length / 2)))
}
