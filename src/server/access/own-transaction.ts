/** Work in a transaction of its own, after what must stay counted although the request is refused. */
import { unitOfWork, type Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { Principal } from '../kernel/principal.ts'

interface Admitted<T> {
  /** The person, for the trail. */
  readonly principal: Principal
  readonly work: (inside: Context) => Promise<T>
}

/** `admit` decides inside the transaction who works, and throws if nobody does. */
export async function ownTransaction<T>(context: Context, admit: (tx: Tx) => Promise<Admitted<T>>): Promise<T> {
  const { machinery, reach, ip, requestId, connectionId } = context
  const { answer, committed } = await machinery.database.db.transaction().execute(async (tx) => {
    const { principal, work } = await admit(tx)
    const unit = unitOfWork(tx, { principal, ip, requestId, connectionId }, reach, machinery)
    const answer = await work(unit.context)
    await unit.finish()
    return { answer, committed: unit.committed }
  })
  await committed()
  return answer
}
