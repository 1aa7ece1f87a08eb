/** Sends a file straight to the store, by the Active Storage protocol; the signed id that comes back is what a record is saved with. */
import { uploadCalls } from '#contract/uploads/upload.ts'
import { callApi } from '../api.ts'

/** Uploads one file. Throws where the store or the check of its content refuses it. */
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
