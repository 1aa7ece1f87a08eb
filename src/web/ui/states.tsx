import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './kit.module.css'

/** A grey placeholder for loading content; it appears after 150 ms, so that quick answers do not flicker. */
export function Skeleton({ width = '100%', height = 14 }: { width?: number | string | undefined; height?: number | undefined }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
}

export type EmptyStateProps = {
  title: string
  /** Suggests what to do next. */
  children?: ReactNode
  actions?: ReactNode
}

/** Nothing exists yet, or nothing matches; the text says which, and what to do next. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <h2 className={styles.stateTitle}>{title}</h2>
      {children && <div className={styles.stateText}>{children}</div>}
      {actions && <div className={styles.stateActions}>{actions}</div>}
    </div>
  )
}

export type ErrorStateProps = {
  title?: string | undefined
  message?: string | undefined
  /** Lets support find the request in the log. */
  requestId?: string | undefined
  onRetry?: (() => void) | undefined
  retrying?: boolean | undefined
  /** Ways on besides the retry. */
  actions?: ReactNode
}

/** A part of the page could not be loaded; says so in its place and offers a retry. */
export function ErrorState({ title = 'This could not be loaded', message, requestId, onRetry, retrying, actions }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <h2 className={`${styles.stateTitle} ${styles.stateBad}`}>{title}</h2>
      {message && <p className={styles.stateText}>{message}</p>}
      <div className={styles.stateActions}>
        {onRetry && (
          <Button onClick={onRetry} busy={retrying}>
            Try again
          </Button>
        )}
        {actions}
        {requestId && <span className={styles.stateId}>Request {requestId}</span>}
      </div>
    </div>
  )
}

/** Shown if the user lacks the right. */
export function ForbiddenState({ what = 'this list', actions }: { what?: string | undefined; actions?: ReactNode }) {
  return (
    <div className={styles.state}>
      <h2 className={styles.stateTitle}>You have no access to {what}</h2>
      <p className={styles.stateText}>Ask an administrator of your organization for the right to it.</p>
      {actions && <div className={styles.stateActions}>{actions}</div>}
    </div>
  )
}
