import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { apiTokenCalls, type ApiToken } from '#contract/access/api-token.ts'
import { callApi } from '../kernel/api.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery, refresh } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { ProfileFrame } from '../profile/profile.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../ui/states.tsx'
import styles from './api-tokens.module.css'
import { TokenExpiry, tokenScope, TokenUse } from './token-cells.tsx'

/** A user has few tokens, so all are on one page. */
const all = { query: { per: '100' } }

/** /users/profile/api_tokens: tokens with which programs act in the user's name. */
export function OwnTokensPage() {
  const asked = useQuery(apiQuery(apiTokenCalls.own, all))
  return (
    <ProfileFrame
      title="API Tokens"
      about="A token lets a program ask the API in your name, with your rights or a part of them. It cannot change your password, your profile or anybody’s rights."
      actions={
        <ButtonLink href="/users/profile/api_tokens/new" kind="primary">
          <Plus size={14} aria-hidden="true" />
          New token
        </ButtonLink>
      }
    >
      <RecordGate asked={asked}>
        {({ api_tokens: tokens }) =>
          tokens.length === 0 ? (
            <EmptyState title="You have no API token">Make one for each program, so that you can revoke it alone.</EmptyState>
          ) : (
            <TokenTable tokens={tokens} />
          )
        }
      </RecordGate>
    </ProfileFrame>
  )
}

function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.tokens}>
        <caption className="sr-only">Your API tokens</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Opens</th>
            <th scope="col">Expires</th>
            <th scope="col">Last used</th>
            <th scope="col">Created</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <th scope="row">
                <span className={styles.name}>{token.name}</span>
                <span className={styles.mark}>{token.token}</span>
              </th>
              <td>{tokenScope(token)}</td>
              <td>
                <TokenExpiry token={token} />
              </td>
              <td>
                <TokenUse token={token} />
              </td>
              <td>{token.created_at && <NewYorkTime at={token.created_at} />}</td>
              <td className={styles.end}>
                <Button small kind="danger" aria-label={`Revoke ${token.name ?? ''}`} onClick={() => void revoke(token)}>
                  Revoke
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

async function revoke(token: ApiToken): Promise<void> {
  const sure = await confirm({
    message: 'Revoke this API token?',
    consequence: `${token.name ?? ''}: programs that use it are refused from now on.`,
    confirmLabel: 'Revoke',
    danger: true,
  })
  if (!sure) return
  try {
    resultNotice(await callApi(apiTokenCalls.destroy, { params: { id: token.id } }))
  } catch (error) {
    problemNotice(error)
  }
  refresh('api_tokens')
}
