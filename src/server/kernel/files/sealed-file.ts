/** Encrypts, as a stream, a file that is stored for a short while: uploads may hold numbers that must not be stored in the clear. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'

const ivBytes = 16
const algorithm = 'aes-256-ctr'

/** Encrypts the bytes that pass through. The output starts with a fresh initial counter. */
export function sealing(secretKey: string): Transform {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, keyOf(secretKey), iv)
  let begun = false
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!begun) this.push(iv)
      begun = true
      done(null, cipher.update(chunk))
    },
    flush(done) {
      if (!begun) this.push(iv)
      done(null, cipher.final())
    },
  })
}

/** Decrypts the output of `sealing` with the same key. */
export function unsealing(secretKey: string): Transform {
  let head = Buffer.alloc(0)
  let decipher: ReturnType<typeof createDecipheriv> | undefined
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (decipher) {
        done(null, decipher.update(chunk))
        return
      }
      head = Buffer.concat([head, chunk])
      if (head.length < ivBytes) {
        done()
        return
      }
      decipher = createDecipheriv(algorithm, keyOf(secretKey), head.subarray(0, ivBytes))
      done(null, decipher.update(head.subarray(ivBytes)))
    },
  })
}

function keyOf(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'meterbook', 'sealed file', 32))
}
