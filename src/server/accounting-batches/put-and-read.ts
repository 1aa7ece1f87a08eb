/** Stores an upload file and reads it as the importing program would, portion by portion. */
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import type { UploadField } from '#contract/accounting-batches/upload-file.ts'
import type { UploadLayout } from '#contract/accounting-batches/upload-layout.ts'
import { isIntact } from '../kernel/files/intact-file.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { unavailable } from '../kernel/problem.ts'
import { readUpload } from './read-upload.ts'

interface UploadText {
  readonly text: AsyncIterable<string>
  readonly contentType: string
  readonly layout: UploadLayout
  readonly fields: readonly UploadField[]
}

/**
 * Throws if the stored file is gone or has another hash than the text: so what was read is what is stored. The task then tries again, because a
 * store may recover. Throws a RangeError if an amount cannot be read.
 */
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
    if (!(await isIntact(files, key, stored.sha256)))
      throw unavailable('The file store did not keep the upload file as it was written. No version was made. Generate the file again.')
    return { stored, read: await reading }
  } finally {
    copy.destroy()
  }
}
