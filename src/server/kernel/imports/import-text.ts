/** Detects the format of a CSV file from its bytes: its encoding, its separator, and whether it is text at all. */
import { tooManyBytes, uploadRefusals } from '#contract/uploads/upload.ts'
import { Transform } from 'node:stream'
import { Failure } from '../problem.ts'

export const importEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type ImportEncoding = (typeof importEncodings)[number]

export interface TextKind {
  readonly encoding: ImportEncoding
  readonly separator: string
}

const sampleBytes = 65_536
const separators = [',', ';', '\t', '|']

/**
 * Watches the bytes that pass through, and fails at the first byte beyond the limit. Once all have passed, `kind` gives their format, or
 * the reason why they are not CSV.
 */
export function watchingText(bytesMax: number): {
  through: Transform
  kind: () => TextKind | { readonly fault: string }
  bytes: () => number
} {
  let sample = Buffer.alloc(0)
  let bytes = 0
  let isUtf8 = true
  const strict = new TextDecoder('utf-8', { fatal: true })
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax) {
        done(new Failure('too_large', tooManyBytes(bytesMax)))
        return
      }
      if (sample.length < sampleBytes) sample = Buffer.concat([sample, chunk.subarray(0, sampleBytes - sample.length)])
      isUtf8 = isUtf8 && isDecoded(strict, chunk, true)
      done(null, chunk)
    },
    flush(done) {
      isUtf8 = isUtf8 && isDecoded(strict, new Uint8Array(0), false)
      done()
    },
  })
  return { through, bytes: () => bytes, kind: () => kindOf(sample, isUtf8) }
}

function isDecoded(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): boolean {
  try {
    decoder.decode(bytes, { stream })
    return true
  } catch {
    return false
  }
}

function kindOf(sample: Buffer, isUtf8: boolean): TextKind | { fault: string } {
  if (sample.length === 0) return { fault: uploadRefusals.empty }
  if (sample.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1')))
    return { fault: 'This is an Excel workbook. Please save it as CSV and choose that file.' }
  const encoding = encodingOf(sample, isUtf8)
  const text = new TextDecoder(encoding).decode(sample)
  // In a UTF-16 file without a byte order mark, every second byte is empty.
  if (text.includes('\u0000')) return { fault: 'This is no CSV file.' }
  return { encoding, separator: separatorOf(text) }
}

/** A file that is not UTF-8 comes from Excel on Windows. */
function encodingOf(sample: Buffer, isUtf8: boolean): ImportEncoding {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le'
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be'
  return isUtf8 ? 'utf-8' : 'windows-1252'
}

/** Returns the most frequent separator of the header row, outside quoted texts. */
function separatorOf(text: string): string {
  const header = text.replaceAll(/"[^"]*"/g, '').split(/\r?\n|\r/, 1)[0] ?? ''
  const counts = separators.map((separator) => header.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Decodes bytes to text, without the byte order mark. */
export function decoding(encoding: ImportEncoding): Transform {
  const decoder = new TextDecoder(encoding)
  return new Transform({
    readableObjectMode: false,
    encoding: 'utf8',
    transform(chunk: Buffer, _encoding, done) {
      done(null, decoder.decode(chunk, { stream: true }))
    },
    flush(done) {
      done(null, decoder.decode())
    },
  })
}
