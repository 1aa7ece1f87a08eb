/** Settles the chosen findings with one reason, from the bar below the list. */
import { useState } from 'react'
import { billFindingCalls } from '#contract/bill-finding.ts'
import { findingReasons, type FindingReason } from '#contract/finding-reasons.ts'
import { bodyOf } from '../bulk-changes/rows-meant.ts'
import { callApi } from '../kernel/api.ts'
import { randomId } from '../kernel/connection.ts'
import type { Chosen } from '../kernel/list-selection.ts'
import { problemNotice, resultNotice } from '../kernel/notices.ts'
import { refresh } from '../kernel/query.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { findingGroups } from './use-finding-acts.ts'

export function FindingBulk({ clientId, chosen }: { clientId: number; chosen: Chosen }) {
  const [busy, setBusy] = useState(false)
  const settle = async (reason: FindingReason) => {
    if (busy) return
    setBusy(true)
    try {
      const body = { ...bodyOf(chosen.which), reason }
      resultNotice(await callApi(billFindingCalls.resolveMany, { params: { client_id: clientId }, body, intent: randomId() }))
      chosen.clear()
    } catch (error) {
      problemNotice(error)
    } finally {
      setBusy(false)
      refresh(...findingGroups)
    }
  }
  const count = chosen.count === undefined ? 'all matching' : chosen.count.toLocaleString('en-US')
  return (
    <Menu trigger={`Resolve ${count}…`} label={`Resolve ${count}: the reason`} kind="primary" small align="end">
      {findingReasons.map(({ value, label }) => (
        <MenuItem key={value} onSelect={() => void settle(value)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
