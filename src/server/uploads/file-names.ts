/** Names and types of files as they are kept, whatever a sender calls them. */
import { filenameLengthMax, uploadKinds, type UploadKind } from '#contract/uploads/upload.ts'

/** The last part of a path, without control and direction characters; long names keep their ending. */
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

/** One type a kind, whatever alias the sender used: Windows calls CSV Excel. */
export function storedType(kind: UploadKind, filename: string): string {
  return kind === 'text' && /\.txt$/i.test(filename) ? 'text/plain' : uploadKinds[kind].types[0]
}

/** Why a file is refused whose kind has no use here, in words for the person who sent it. */
export function notTaken(filename: string, kinds: readonly UploadKind[]): string {
  const taken = kinds.map((kind) => uploadKinds[kind].label)
  const isTiff = uploadKinds.tiff.endings.some((ending) => filename.toLowerCase().endsWith(`.${ending}`))
  const advice = isTiff && kinds.includes('pdf') ? ' Please save it as PDF, with all its pages, and upload that.' : ''
  return `${filename} cannot be taken here, only ${new Intl.ListFormat('en', { type: 'disjunction' }).format(taken)}.${advice}`
}
