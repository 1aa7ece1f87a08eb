/** Lets the bytes of an upload through while it holds them against what was announced. */
import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { uploadKinds, type UploadKind } from '#contract/upload.ts'
import { Failure, invalid } from '../kernel/problem.ts'
import { headBytes, looksLike, runsSomething, wordOverlap } from './file-content.ts'

export interface Announced {
  readonly kind: UploadKind
  readonly size: number
  /** Base64 of the MD5. */
  readonly md5: string
}

/** The stream fails at the first byte too many, and at its end where size, checksum or content are not what was announced. */
export function checkedBytes(announced: Announced): Transform {
  const hash = createHash('md5')
  let size = 0
  let head = Buffer.alloc(0)
  let headIsChecked = false
  let tail = Buffer.alloc(0)
  const checkHead = (): Failure | null => {
    headIsChecked = true
    return looksLike(announced.kind, head) ? null : invalid({ file: [`The file is no ${uploadKinds[announced.kind].label}.`] })
  }
  const faultOf = (chunk: Buffer): Failure | null => {
    size += chunk.length
    if (size > announced.size) return new Failure('too_large', 'The file has more bytes than announced.')
    hash.update(chunk)
    if (!headIsChecked) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
    const searched = Buffer.concat([tail, chunk])
    tail = Buffer.from(searched.subarray(-wordOverlap))
    if (runsSomething(announced.kind, searched)) return invalid({ file: ['The file holds a program, which is not taken.'] })
    return !headIsChecked && head.length >= headBytes ? checkHead() : null
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const fault = faultOf(chunk)
      if (fault) done(fault)
      else done(null, chunk)
    },
    flush(done) {
      const fault = headIsChecked ? null : checkHead()
      if (fault) done(fault)
      else if (size < announced.size) done(invalid({ file: ['The file has fewer bytes than announced.'] }))
      else if (hash.digest('base64') !== announced.md5) done(invalid({ file: ['The checksum is wrong: the file was damaged on its way.'] }))
      else done()
    },
  })
}
