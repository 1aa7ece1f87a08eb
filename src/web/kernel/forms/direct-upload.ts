/** Uploads a file directly to the store with the Active Storage protocol; a record is saved with the returned signed id. */
import { uploadCalls } from '#contract/uploads/upload.ts'
import { callApi } from '../api.ts'

/** Uploads one file. Throws if the store or the check of its content rejects it. */
export async function directUpload(file: File): Promise<string> {
  const [{ DirectUpload }, { direct_upload_url }] = await Promise.all([
    import('@rails/activestorage'),
    callApi(uploadCalls.directUploadUrl, {}),
  ])
  return new Promise((resolve, reject) => {
    new DirectUpload(file, direct_upload_url).create((error, blob) => {
      if (blob) resolve(blob.signed_id)
      else reject(error ?? new Error('The file could not be uploaded'))
    })
  })
}
