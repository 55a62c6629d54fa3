import { impressions } from '@roadshow/contract/proof/impressions'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { useMay } from '../../api/user.ts'
import { Row } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'

/** The files of a version of the method: everything that it multiplies. */
export const MethodFiles = ({ version }: { version: number }) =>
  useMay(impressions.methodFile) && (
    <Row gap={2} wrap>
      <MethodFile version={version} format="csv" />
      <MethodFile version={version} format="json" />
    </Row>
  )

function MethodFile({ version, format }: { version: number; format: 'csv' | 'json' }) {
  const [isBusy, setIsBusy] = useState(false)
  const notice = useNotice()
  const words = format.toUpperCase()
  const fetchIt = async () => {
    setIsBusy(true)
    const params = { version: String(version), format }
    await download(impressions.methodFile, { params }).catch((error: unknown) => notice(errorMessage(error), 'bad'))
    setIsBusy(false)
  }
  return (
    <Button
      size="small"
      loading={isBusy}
      onClick={() => void fetchIt()}
      aria-label={`Inputs of method ${version} as ${words}`}
    >
      Method {version} ({words})
    </Button>
  )
}
