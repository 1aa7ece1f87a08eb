/** Text that the standard fonts of a PDF can display: Latin letters. */

/** Replaces dashes and quotes by plain ones, and removes accents that the fonts lack. Any other character becomes a question mark. */
export function printable(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return text
    .replace(/[–—]/g, '-')
    .replace(/[’‘]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[^\x20-\x7e\xa0-\xff]/g, (sign) => {
      const plain = sign.normalize('NFKD').replace(/\p{M}/gu, '')
      return /^[\x20-\x7e]+$/.test(plain) ? plain : '?'
    })
}
