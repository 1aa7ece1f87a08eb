import { apiToken, apiTokenCalls, type ApiToken } from '#contract/access/api-token.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { TokenExpiry, tokenScope, TokenUse } from './token-cells.tsx'

// The widths fit beside a client's sidebar at 1366 px.
const columns: readonly ColumnWish<ApiToken>[] = [
  { key: 'user_email', width: 180 },
  { key: 'name', width: 150 },
  { key: 'token', width: 104, grow: false },
  { key: 'access', width: 156 },
  { key: 'expires_on', width: 174, grow: false },
  { key: 'last_used_at', width: 160, grow: false },
  { key: 'created_at', width: 160, grow: false },
]

const cells: Cells<ApiToken> = {
  access: (row) => <span title={tokenScope(row)}>{tokenScope(row)}</span>,
  expires_on: (row) => <TokenExpiry token={row} />,
  last_used_at: (row) => <TokenUse token={row} />,
  created_at: (row) => row.created_at && <NewYorkTime at={row.created_at} />,
}

/** /settings/api_tokens: the tokens of all users, each of which can be revoked. */
export function TokenList() {
  return (
    <>
      <SettingsTabs />
      <ListPage
        entity={apiToken}
        calls={apiTokenCalls}
        columns={columns}
        cells={cells}
        empty="Tokens that people make for their programs are listed here."
        actions={(row) => (
          <DeleteItem
            label="Revoke"
            call={apiTokenCalls.revoke}
            params={{ id: row.id }}
            question="Revoke this API token? Programs that use it are refused from now on, and its holder is told."
            name={`${row.name ?? ''} of ${row.user_email ?? ''}`}
          />
        )}
      />
    </>
  )
}
