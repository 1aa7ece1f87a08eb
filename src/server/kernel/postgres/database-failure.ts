/** What an error of the database, or of the way to it, means to whoever asked. Texts of PostgreSQL differ between versions; SQLSTATE decides. */
import { isBrokenSocket } from '../http/broken-sockets.ts'
import { aroseOnTheWay, refusingTable, sqlState } from './database.ts'
import { isNoRoom } from '../files/no-room.ts'
import { invalid, NoRoom, refused, unavailable, type Failure } from '../problem.ts'

/** The refusal that an error of the database stands for; undefined where the error is a fault of ours. */
export function databaseFailure(error: unknown): Failure | undefined {
  if (isConnectionLost(error)) return unavailable()
  if (isNoRoom(error)) return new NoRoom()
  switch (sqlState(error)) {
    case '23503':
      return refused(`This record is still used by ${refusingTable(error)?.replaceAll('_', ' ') ?? 'others'}.`)
    case '23505':
      return refused('A record with these values is there already.')
    case '23514':
    case '22003':
    case '22001':
    case '22008':
    case '22021':
    case '22P05':
      return invalid({}, 'A value is outside what can be stored.')
    case '40001':
    case '40P01':
    case '55P03':
      return refused('Somebody else is changing the same records. Please try again.')
    case '57014':
      return unavailable('This took too long and was stopped.')
    case '53200':
      return unavailable()
    default:
      return undefined
  }
}

/** The server ends the session, is starting or stopping, or takes no more sessions. Besides these, all of class 08 (connection exception). */
const endedSessions = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '53300'])
/** What pg and its pool say of a connection of theirs that is of no use, in errors without a code. */
const pgWords =
  /^(timeout exceeded when trying to connect|Connection terminated.*|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end on the pool)$/

/**
 * Whether the way to the database broke, or was never there: the same work may succeed on another connection. A socket that breaks says the
 * same of every peer, so that such an error counts only where it arose on the way to the database.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = sqlState(error)
  if (state !== undefined) return state.startsWith('08') || endedSessions.has(state)
  if (pgWords.test(error.message)) return true
  return aroseOnTheWay(error) && isBrokenSocket(error)
}
