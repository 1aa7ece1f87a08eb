/** Text as the standard fonts of a PDF can write it: Latin letters. */

/** Dashes and quotes become plain ones, and letters lose marks that the fonts lack; any other sign becomes a question mark. */
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
