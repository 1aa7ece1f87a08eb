import { useEffect } from 'react'
import { requestErrorNotice } from '../kernel/notices/notices.ts'
import { queryClient } from '../kernel/query.ts'

/** Shows 'Request error' for each failed query of the repository, besides the message in its place. */
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
