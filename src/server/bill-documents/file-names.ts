/** Names of copies inside a bundle: vendor, account and date, so that a folder of them sorts and reads well. */

const partLengthMax = 60

export interface NamedCopy {
  readonly vendor_name: string | null
  readonly account_number: string
  readonly date: string
  readonly filename: string
}

/** Returns a function that gives unique names, ignoring case. Use one per bundle. */
export function copyNames(): (copy: NamedCopy) => string {
  const taken = new Set<string>()
  return ({ vendor_name, account_number, date, filename }) => {
    const stem = [vendor_name ?? 'no vendor', account_number, date].map(plain).join('_')
    const ending = /\.[a-z0-9]{1,5}$/i.exec(filename)?.[0].toLowerCase() ?? ''
    for (let count = 1; ; count += 1) {
      const name = `${stem}${count === 1 ? '' : `_${count}`}${ending}`
      const key = name.toLowerCase()
      if (taken.has(key)) continue
      taken.add(key)
      return name
    }
  }
}

/** Keeps letters and digits of any script; other characters become a dash. */
function plain(text: string): string {
  const kept = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}.]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  return Array.from(kept).slice(0, partLengthMax).join('') || 'unnamed'
}
