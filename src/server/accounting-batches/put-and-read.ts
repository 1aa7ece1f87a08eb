/** Stores an upload file and reads it as the importing program would, portion by portion. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UploadField } from '#contract/accounting-batches/upload-file.ts'
import type { UploadLayout } from '#contract/accounting-batches/upload-layout.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { readUpload } from './read-upload.ts'

interface UploadText {
  readonly text: AsyncIterable<string>
  readonly contentType: string
  readonly layout: UploadLayout
  readonly fields: readonly UploadField[]
}

/** Throws if the stored file has another hash than the text: so what was read is what is stored. Throws a RangeError if an amount cannot be read. */
export async function putAndRead(files: Machinery['files'], key: string, { text, contentType, layout, fields }: UploadText) {
  const copy = new PassThrough()
  const reading = readUpload(copy, layout, fields)
  // A failure of the reading ends the writing, which reports it.
  reading.catch(() => undefined)
  const both = async function* (): AsyncGenerator<string> {
    for await (const part of text) {
      if (!copy.write(part)) await Promise.race([once(copy, 'drain'), reading])
      yield part
    }
    copy.end()
  }
  try {
    const stored = await files.put(key, Readable.from(both(), { objectMode: false }), contentType)
    const hash = createHash('sha256')
    await pipeline(await files.read(key), hash)
    if (!hash.digest().equals(stored.sha256)) throw new Error('the stored upload file is not the text that was written')
    return { stored, read: await reading }
  } finally {
    copy.destroy()
  }
}
