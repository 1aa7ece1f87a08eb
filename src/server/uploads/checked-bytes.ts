/** Passes the bytes of an upload through while comparing them with what was announced. */
import { tooManyBytes, uploadRefusals } from '#contract/uploads/upload.ts'
import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { UploadKind } from '#contract/uploads/upload-kinds.ts'
import { Failure, invalid } from '../kernel/problem.ts'
import { headBytes, headFault, mustNotHold, wordOverlap } from './file-content.ts'
import { archiveFault, archiveTailBytes } from './archive-content.ts'

/** The announced properties of a file, or the limits of an unannounced one. */
export interface Expected {
  readonly kind: UploadKind
  readonly bytesMax: number
  /** The exact length, if known. */
  readonly bytes?: number
  /** Base64 of the MD5, if known. */
  readonly md5?: string
}

/** The stream fails at the first byte too many, or at its end if size, checksum or content do not match. */
export function checkedBytes(expected: Expected): Transform {
  const { kind } = expected
  const hash = createHash('md5')
  const archive = kind === 'xlsx' || kind === 'docx'
  let size = 0
  let head = Buffer.alloc(0)
  let headIsChecked = false
  /** The last bytes of the previous block, so that a word across two blocks is found. */
  let end = Buffer.alloc(0)
  const tail: Buffer[] = []
  const checkHead = (): Failure | null => {
    headIsChecked = true
    const fault = headFault(kind, head)
    return fault === null ? null : refusal(fault)
  }
  const faultOf = (chunk: Buffer): Failure | null => {
    size += chunk.length
    if (size > (expected.bytes ?? expected.bytesMax)) return tooLarge(expected)
    hash.update(chunk)
    if (!headIsChecked) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
    const held = mustNotHold(kind, chunk) ?? mustNotHold(kind, Buffer.concat([end, chunk.subarray(0, wordOverlap)]))
    if (held) return refusal(held)
    end = Buffer.from(chunk.length >= wordOverlap ? chunk.subarray(-wordOverlap) : Buffer.concat([end, chunk]).subarray(-wordOverlap))
    if (archive) keepTail(tail, chunk)
    return !headIsChecked && head.length >= headBytes ? checkHead() : null
  }
  const faultAtEnd = (): Failure | null => {
    if (size === 0) return refusal(uploadRefusals.empty)
    const fault = headIsChecked ? null : checkHead()
    if (fault) return fault
    if (size < (expected.bytes ?? 0)) return refusal('The file has fewer bytes than announced.')
    if (expected.md5 !== undefined && hash.digest('base64') !== expected.md5)
      return refusal('The checksum is wrong: the file was damaged on its way.')
    const inside = archive ? archiveFault(kind, Buffer.concat(tail), size) : null
    return inside === null ? null : refusal(inside)
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const fault = faultOf(chunk)
      if (fault) done(fault)
      else done(null, chunk)
    },
    flush(done) {
      done(faultAtEnd())
    },
  })
}

/** Keeps the last blocks up to the size of an archive's directory; older ones are dropped. */
function keepTail(blocks: Buffer[], block: Buffer): void {
  blocks.push(block)
  for (let kept = blocks.reduce((sum, one) => sum + one.length, 0); ;) {
    kept -= blocks[0]?.length ?? 0
    if (kept < archiveTailBytes) return
    blocks.shift()
  }
}

function refusal(message: string): Failure {
  return invalid({ file: [message] })
}

function tooLarge({ bytes, bytesMax }: Expected): Failure {
  const message = bytes === undefined ? tooManyBytes(bytesMax) : 'The file has more bytes than announced.'
  return new Failure('too_large', message, { file: [message] })
}
