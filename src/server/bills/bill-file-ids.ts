/** Signed ids of a bill's files: of stored files, and of uploads that the save attaches. */
import type { UploadKind } from '#contract/uploads/upload-kinds.ts'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { openToken, signToken } from '../kernel/http/signed-token.ts'
import { attachUpload } from '../uploads/uploads.ts'

/** A form may stay open for some days. */
const livesSeconds = 7 * 24 * 3_600
const kinds: readonly UploadKind[] = ['pdf', 'png', 'jpeg', 'webp', 'gif', 'tiff']
const storedFile = z.object({ client: z.int(), file: z.int(), user: z.int() })

/** Signs a stored file for a save of this person in this client. The caller must have checked that they may see the file. */
export function signStoredFile(context: Context, clientId: number, fileId: number): string {
  const payload = { client: clientId, file: fileId, user: context.principal.user_id }
  return signToken(context.machinery.settings.secretKey, 'stored_file', payload, livesSeconds)
}

/** Returns the files that the signed ids of a save name, in their order, and attaches uploads. Throws 422 at `signed_file_ids`. */
export async function filesOfSave(context: Context, clientId: number, signedIds: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const signed of signedIds) {
    const known = openToken(context.machinery.settings.secretKey, 'stored_file', signed, storedFile)
    const isOwn = known !== null && known.client === clientId && known.user === context.principal.user_id
    // At most two, each with its own checks.
    ids.push(isOwn ? known.file : await attachUpload(context, signed, { kinds }, 'signed_file_ids'))
  }
  return [...new Set(ids)]
}
