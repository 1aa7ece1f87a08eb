/** Detects a full disk, whether the file system, a quota, the database or a store reached over HTTP reports it. */
import { z } from 'zod'
import { sqlState } from '../postgres/database.ts'
import { Failure, NoRoom } from '../problem.ts'

const systemCodes = new Set(['ENOSPC', 'EDQUOT'])
const DISK_FULL = '53100'
const INSUFFICIENT_STORAGE = 507

const answered = z.object({ $metadata: z.object({ httpStatusCode: z.literal(INSUFFICIENT_STORAGE) }) })

export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof NoRoom) return true
  if ('code' in error && typeof error.code === 'string' && systemCodes.has(error.code)) return true
  return sqlState(error) === DISK_FULL || answered.safeParse(error).success || isNoRoom(error.cause)
}

/** Returns the message shown to a person for failed work. An internal error reveals no details. */
export function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  return isNoRoom(error) ? new NoRoom().message : 'Something went wrong on our side.'
}
