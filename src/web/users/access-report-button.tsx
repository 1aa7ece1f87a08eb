import { useState } from 'react'
import { FileSpreadsheet } from 'lucide-react'
import { userCalls } from '#contract/users/user.ts'
import { callApi } from '../kernel/api.ts'
import { connectionId } from '../kernel/connection.ts'
import { seconds } from '../kernel/notices/messages.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { Button } from '../ui/button.tsx'

/** Starts the report of all users' rights; the file arrives over the live channel in this window. */
export function AccessReportButton() {
  const [busy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    try {
      resultNotice(await callApi(userCalls.accessReport, { query: { connection_id: connectionId } }), seconds.list_export)
    } catch (error) {
      problemNotice(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={busy} onClick={() => void start()} title="A file of who may do what: a line for each person and role">
      <FileSpreadsheet size={14} aria-hidden="true" />
      Access Report
    </Button>
  )
}
