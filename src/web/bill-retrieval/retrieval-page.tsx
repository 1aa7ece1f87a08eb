/** The whole way from the service to bills: fetch the list, see the state of each statement, select, create. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billRetrievalCalls } from '#contract/bill-retrieval/retrieval-calls.ts'
import { useSearchText } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { noPlans } from './account-plans.ts'
import { AccountsNeededPanel } from './accounts-needed.tsx'
import styles from './bill-retrieval.module.css'
import { ImportLine } from './import-line.tsx'
import { ServiceLine } from './service-line.tsx'
import { StatementBeside } from './statement-beside.tsx'
import { StatementList } from './statement-list.tsx'
import { useRetrievalTasks } from './use-retrieval-tasks.ts'

export function RetrievalPage({ clientId }: { clientId: number }) {
  const [plans, setPlans] = useState(noPlans)
  const tasks = useRetrievalTasks(clientId)
  const status = useQuery(apiQuery(billRetrievalCalls.status, { params: { client_id: clientId } }))
  const shown = Number(useSearchText()['statement'])
  const counts = status.data?.counts
  return (
    <div className={shown > 0 ? styles.beside : undefined}>
      <div className={styles.column}>
        <ServiceLine clientId={clientId} asked={status} task={tasks.fetch} />
        <AccountsNeededPanel clientId={clientId} plans={plans} onChange={setPlans} />
        <ImportLine task={tasks.import} />
        <StatementList clientId={clientId} counts={counts} plans={plans} onStarted={() => setPlans(noPlans)} running={tasks.import} />
      </div>
      {shown > 0 && <StatementBeside key={shown} clientId={clientId} id={shown} />}
    </div>
  )
}
