/**
 * Counts the bytes that a PDF unpacks to, before a library stores them: a file of a few kilobytes may unpack to gigabytes. Bytes are
 * counted after each of a stream's filters. A file that hides its filters (encrypted, or with a malformed dictionary) is not detected here;
 * the limits of the reader's process apply to it.
 */
import { constants, inflateSync } from 'node:zlib'
import { tooMuchMemory } from './reading-error.ts'

const MIB = 1_048_576
/** Maximum unpacked bytes of a stream that is not a picture. Letters and drawings of a bill's page take less than 5 MiB. */
const STREAM_BYTES_MAX = 64 * MIB
/** The same for all such streams together. */
const DOCUMENT_BYTES_MAX = 512 * MIB
/** Deflate produces at most this many bytes from one. */
const RATIO_MAX = 1_032
/** Maximum bytes of a picture's pixel, whatever its colours and depth. */
const DOT_BYTES_MAX = 8
/** Pixels of the largest picture that is drawn. */
const PICTURE_DOTS_MAX = 60_000_000
/** Characters before a stream in which its dictionary is searched. */
const DICTIONARY_CHARACTERS = 2_048

interface Stream {
  readonly bytes: Buffer
  /** Number of inflate stages, one after the other. */
  readonly stages: number
  readonly dots: number
}

/** Throws ReadingError if a stream, or all streams that are not pictures together, would unpack to more than the limit. */
export function refuseBombs(pdf: Uint8Array): void {
  let left = DOCUMENT_BYTES_MAX
  const single: Stream[] = []
  for (const stream of streamsOf(pdf)) {
    if (stream.dots > PICTURE_DOTS_MAX || stream.stages === 0) continue
    if (stream.stages > 1 || mayExceed(stream, bytesMaxOf(stream))) {
      const size = inflatedSize(stream, bytesMaxOf(stream))
      if (stream.dots === 0) left -= size
    } else if (stream.dots === 0) single.push(stream)
    if (left < 0) throw tooMuchMemory()
  }
  if (single.reduce((sum, { bytes }) => sum + bytes.length, 0) * RATIO_MAX <= left) return
  for (const stream of single) {
    left -= inflatedSize(stream, STREAM_BYTES_MAX)
    if (left < 0) throw tooMuchMemory()
  }
}

/** Returns true if a picture in the file has more pixels than are drawn. Its page may still have words of its own. */
export function holdsHugePicture(pdf: Uint8Array): boolean {
  for (const { dots } of streamsOf(pdf)) if (dots > PICTURE_DOTS_MAX) return true
  return false
}

const bytesMaxOf = ({ dots }: Stream): number => STREAM_BYTES_MAX + dots * DOT_BYTES_MAX
const mayExceed = ({ bytes }: Stream, most: number): boolean => bytes.length * RATIO_MAX > most

/** Returns the bytes after the stage with the largest output. Throws if a stage outputs more than `most`. */
function inflatedSize({ bytes, stages }: Stream, most: number): number {
  let present = bytes
  let largest = 0
  for (let stage = 0; stage < stages; stage += 1) {
    const next = inflate(present, most)
    if (next === null) break
    present = next
    largest = Math.max(largest, present.length)
  }
  return largest
}

/** Returns null if the bytes do not match their filter. */
function inflate(bytes: Buffer, most: number): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooMuchMemory()
    return null
  }
}

function* streamsOf(pdf: Uint8Array): Generator<Stream> {
  const file = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at + 6)) {
    const begin = beginOf(file, at)
    if (begin === null) continue
    const end = file.indexOf('endstream', begin)
    const before = file.toString('latin1', Math.max(0, at - DICTIONARY_CHARACTERS), at)
    const dictionary = plainNames(before.slice(before.lastIndexOf('obj') + 3))
    const bytes = file.subarray(begin, end === -1 ? file.length : end)
    yield { bytes, stages: stagesOf(dictionary), dots: dotsOf(dictionary) }
  }
}

/** Returns the position where the bytes of a stream begin; null if the word does not start one. */
function beginOf(file: Buffer, at: number): number | null {
  if (file.toString('latin1', at - 3, at) === 'end') return null
  if (file[at + 6] === LINE_FEED) return at + 7
  if (file[at + 6] !== RETURN) return null
  return file[at + 7] === LINE_FEED ? at + 8 : at + 7
}
const LINE_FEED = 10
const RETURN = 13

/** A name may be written in hex: `/#46lateDecode`. */
const plainNames = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Filters that are defined elsewhere count as two. */
function stagesOf(dictionary: string): number {
  const filters = /\/(?:Filter|F)\s*(\[[^\]]*\]|\/\w+|\d+\s+\d+\s+R)/.exec(dictionary)?.[1] ?? ''
  if (filters.endsWith('R')) return 2
  // Data behind another filter cannot be inflated here.
  const names = [...filters.matchAll(/\/(\w+)/g)].map(([, name]) => name)
  const others = names.findIndex((name) => name !== 'FlateDecode' && name !== 'Fl')
  return others === -1 ? names.length : others
}

/** Returns the pixels of a picture, 0 for anything else. */
function dotsOf(dictionary: string): number {
  if (!/\/Subtype\s*\/Image\b/.test(dictionary)) return 0
  const side = (name: string): number => Number(new RegExp(`/${name}\\s+(\\d+)`).exec(dictionary)?.[1] ?? 0)
  return side('Width') * side('Height')
}
