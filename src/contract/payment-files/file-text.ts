/** Text that banks accept: upper case without accents, plus only those other characters that the profile's bank allows. */

export type CharacterSet = 'standard' | 'narrow'

/** Both sets exclude the delimiters of addenda. */
const refused: Readonly<Record<CharacterSet, RegExp>> = {
  standard: /[^A-Z0-9 .\-/&',()#]/gu,
  narrow: /[^A-Z0-9 .\-']/gu,
}
/** Letters that Unicode decomposition does not turn into plain ones. */
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

const isPlain = /^[\x20-\x7e]*$/
/** A character that the bank refuses, or a run of spaces. */
const refusedOnce: Readonly<Record<CharacterSet, RegExp>> = {
  standard: /[^A-Z0-9 .\-/&',()#]| {2}/,
  narrow: /[^A-Z0-9 .\-']| {2}/,
}

/** Returns the text in the bank's characters, without runs of spaces. Empty if none of it can be written. */
export function bankText(written: string, set: CharacterSet): string {
  // Most names are plain, and taking letters apart costs ten times as much as looking.
  const folded = isPlain.test(written) ? written.toUpperCase() : foldedText(written)
  if (!refusedOnce[set].test(folded)) return folded.trim()
  return folded.replaceAll(refused[set], ' ').replaceAll(/ +/g, ' ').trim()
}

/** Returns the first characters of a name, without a trailing space. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).trimEnd()
}

/** Returns an account number as written in files: without spaces, hyphens kept. */
export function accountDigits(written: string): string {
  // Few are written with spaces, and replacing costs several times as much as looking.
  return (/\s/.test(written) ? written.replaceAll(/\s/g, '') : written).toUpperCase()
}

/** Returns at most the last four characters of a number, and never more than half of it. */
export function lastFour(number: string | null): string | null {
  return number === null ? null : number.slice(number.length - Math.min(4, Math.floor(number.length / 2)))
}

/** Upper case in plain ASCII; a letter that has no plain one becomes a space. */
function foldedText(written: string): string {
  return written
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^\x20-\x7e]/gu, (letter) => plain[letter] ?? ' ')
}
