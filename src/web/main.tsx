import './ui/first.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/base.css'
import { App, askEarly } from './app.tsx'
import { hereAddress, leaveForSignIn, readCredentials } from './kernel/credentials.ts'

const root = document.getElementById('root')

// For a visitor who is not signed in the console is not rendered; the sign-in page returns here.
if (!readCredentials()) leaveForSignIn(hereAddress())
else if (root) {
  askEarly(location)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
