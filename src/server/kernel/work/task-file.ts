/** The file that a task writes: its key, and its row in `files`. */
import { sql } from 'kysely'
import type { FilePurpose } from '../files/files.ts'
import { heldRights } from '../held-rights.ts'
import type { Tx } from '../postgres/database.ts'
import type { TaskRun } from './task.ts'

/** The key is the task's own, so that a second run writes over the first. */
export function taskFileKey(purpose: FilePurpose, taskId: number, ending: 'csv' | 'zip' | 'pdf' | 'xlsx' = 'csv'): string {
  return `${purpose}/${taskId % 100}/task-${taskId}.${ending}`
}

export interface TaskFile {
  readonly key: string
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  readonly sha256: Buffer
}

/**
 * Records a stored file in the transaction that ends the task. If that transaction fails, the store keeps the bytes until the next run
 * overwrites them or the sweep removes them: a commit without an answer may or may not have happened.
 * @returns the file's id.
 */
export async function keepTaskFile(tx: Tx, run: TaskRun, { key, filename, contentType, bytes, sha256 }: TaskFile): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`insert into files (key, filename, content_type, byte_size, sha256, user_id, rights, state, attached_at)
    values (${key}, ${filename}, ${contentType}, ${bytes}, ${sha256}, ${run.principal.user_id}, ${heldRights(run.principal)}::jsonb, 'attached', now())
    on conflict (key) do update set filename = excluded.filename, byte_size = excluded.byte_size, sha256 = excluded.sha256, rights = excluded.rights returning id`.execute(
    tx,
  )
  const [file] = rows
  if (!file) throw new Error(`the file ${key} was not named`)
  return file.id
}
