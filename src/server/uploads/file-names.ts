/** Names and types of stored files, independent of what the sender claims. */
import { filenameLengthMax, uploadKinds, type UploadKind } from '#contract/uploads/upload-kinds.ts'

/** Returns the last part of a path, without control and direction characters; long names keep their extension. */
export function plainName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
  if (clean.length <= filenameLengthMax) return clean === '' || clean.startsWith('.') ? `file${clean}` : clean
  const ending = /\.[a-z0-9]{1,10}$/i.exec(clean)?.[0] ?? ''
  return clean.slice(0, filenameLengthMax - ending.length) + ending
}

/** Returns one type per kind, whatever alias the sender used: Windows calls CSV Excel. */
export function storedType(kind: UploadKind, filename: string): string {
  return kind === 'text' && /\.txt$/i.test(filename) ? 'text/plain' : uploadKinds[kind].types[0]
}

/** Returns the message for a file of a kind that is not accepted here. */
export function notTaken(filename: string, kinds: readonly UploadKind[]): string {
  const taken = kinds.map((kind) => uploadKinds[kind].label)
  const isTiff = uploadKinds.tiff.endings.some((ending) => filename.toLowerCase().endsWith(`.${ending}`))
  const advice = isTiff && kinds.includes('pdf') ? ' Please save it as PDF, with all its pages, and upload that.' : ''
  return `${filename} cannot be taken here, only ${new Intl.ListFormat('en', { type: 'disjunction' }).format(taken)}.${advice}`
}
