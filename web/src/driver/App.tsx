import { Suspense, useEffect } from 'react'
import { useApp, useAppState, useLanguage, useWords } from './context.ts'
import { pages } from './pages.tsx'
import { matchPath, usePath } from './router.tsx'
import { ButtonLink, OutsideLink } from './ui/Button.tsx'
import { Frame } from './ui/Frame.tsx'

/** The page of the address. */
function Page() {
  const words = useWords()
  const path = usePath()
  for (const { path: pattern, page: Found } of pages) {
    const values = matchPath(pattern, path)
    if (values) return <Found key={path} values={values} />
  }
  return (
    <Frame>
      <h1>{words.pageMissing}</h1>
      <p>{words.pageMissingText}</p>
      <ButtonLink to="/">{words.today}</ButtonLink>
    </Frame>
  )
}

/** The app, or what stands in the way of it. */
export function App() {
  const app = useApp()
  const words = useWords()
  const language = useLanguage()
  const { session, day, userUid, isOnline } = useAppState()
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  // With nothing to show there is nothing to stay for.
  const mustSignIn = session === 'ended' && !day && isOnline
  useEffect(() => {
    if (mustSignIn) app.signIn()
  }, [app, mustSignIn])
  const path = usePath()
  // What waits can be seen and deleted all the same.
  if (session === 'otherRole' && path !== '/queue')
    return (
      <Frame>
        <h1>{words.notADriver}</h1>
        <p>{words.notADriverText}</p>
        <OutsideLink href="/notifications">{words.openConsole}</OutsideLink>
      </Frame>
    )
  return (
    <Suspense fallback={<Frame>{null}</Frame>}>
      <Page key={userUid} />
    </Suspense>
  )
}
