import { useEffect } from 'react'
import { requestErrorNotice } from '../kernel/notices/notices.ts'
import { queryClient } from '../kernel/query.ts'

/** Says 'Request error' for each answer of the repository that fails, beside what the page says in the place of it. */
export function useRequestErrors(): void {
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && event.query.queryKey[0] === 'bill_documents')
          requestErrorNotice(event.action.error)
      }),
    [],
  )
}
