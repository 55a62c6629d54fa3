"""Reference player: gets the plan, shows it, and keeps each play until the server has stored it.
Usage: python3 player.py http://host:3000 AA:BB:CC:01:02:03 KEY state.json [rounds [seconds]]
Needs Python 3.8 and its standard library. docs/devices.md explains the protocol."""
import base64, json, os, random, socket, ssl, struct, sys, time, uuid
from datetime import datetime, timezone
from urllib.parse import urlsplit

class Link:
    """Socket.IO (Engine.IO 4) over a WebSocket (RFC 6455)."""
    def __init__(self, url, auth):
        at, self.id, self.plan = urlsplit(url), 0, None
        self.tcp = socket.create_connection((at.hostname, at.port or (443 if at.scheme == 'https' else 80)), 60)
        if at.scheme == 'https': self.tcp = ssl.create_default_context().wrap_socket(self.tcp, server_hostname=at.hostname)
        key = base64.b64encode(os.urandom(16)).decode()
        self.tcp.sendall(('GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
            f'Host: {at.netloc}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n').encode())
        head = b''
        while not head.endswith(b'\r\n\r\n'): head += self.read(1)
        if b' 101 ' not in head: raise OSError(head.decode())
        self.receive() # 0{…}: the transport is open
        self.send('40' + json.dumps(auth))
        answer = self.receive()
        if answer.startswith('44'):
            refusal = json.loads(answer[2:]) # pairing again helps, unless the server only asks for patience
            raise (OSError if refusal['data']['code'] in ('unavailable', 'tooMany') else SystemExit)(refusal['message'])
    def read(self, count):
        data = b''
        while len(data) < count:
            data += self.tcp.recv(count - len(data)) or self.gone()
        return data
    def gone(self): raise OSError('The server closed the connection.')
    def send(self, text, opcode=1):
        data, mask = text.encode(), os.urandom(4)
        size = struct.pack('!B', 128 | len(data)) if len(data) < 126 else struct.pack('!BQ', 255, len(data))
        self.tcp.sendall(bytes([128 | opcode]) + size + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))
    def receive(self):
        """The next message. Pings are answered on the way: a client that does not answer is disconnected."""
        text = b''
        while True:
            first, size = self.read(2)
            if size > 125: size = int.from_bytes(self.read(2 if size == 126 else 8), 'big')
            data, opcode = self.read(size), first & 15
            if opcode == 8: self.gone()
            if opcode == 9: self.send(data.decode(), 10)
            if opcode < 8: text += data
            if opcode < 8 and first & 128 and text != b'2': return text.decode()
            if text == b'2': text = self.send('3') or b''
    def ask(self, event, *payload):
        """Sends an event and waits for its answer; hears what the server pushes meanwhile."""
        self.id += 1
        self.send(f'42{self.id}' + json.dumps([event, *payload]))
        while True:
            text = self.receive()
            if text.startswith(f'43{self.id}['): break
            if text.startswith('42["get-player-data"'): self.plan = json.loads(text[2:])[1]
            if text.startswith('42["device-ended"'): sys.exit('The key was revoked. Please pair this device again.')
        answer = json.loads(text[text.index('['):])[0]
        if 'error' in answer: raise OSError(answer['error']) # nothing was stored: the same again later
        return answer

iso = lambda at: datetime.fromtimestamp(at, timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.%f')[:-3] + 'Z'

def save(path, state):
    with open(path + '.new', 'w') as file: json.dump(state, file)
    os.replace(path + '.new', path)

def show(plan, now, seconds, state):
    """Writes down one play for each side of the running shift."""
    running = [each for each in plan['shifts'] if each['artwork'] and each['startsAt'] <= iso(now) < each['endsAt']]
    for file in running[0]['artwork']['files'] if running else []:
        state['sequence'] += 1
        state['outbox'].append({'playId': str(uuid.uuid4()), 'sequence': state['sequence'], 'side': file['side'],
            'sha256': file['sha256'], 'artworkSetUid': running[0]['artwork']['artworkSetUid'],
            'startedAt': iso(now - seconds), 'durationMs': round(seconds * 1000)})

def flush(link, path, state):
    """Sends the outbox in batches, and keeps what the server has not stored."""
    while state['outbox']:
        batch, rest = state['outbox'][:500], state['outbox'][500:]
        acks = {row['id']: row for row in link.ask('player-plays', batch)['rows']}
        early = [play for play in batch if acks.get(play['playId'], {}).get('result', 'later') == 'later']
        state['rejected'] += [{**play, **acks[play['playId']]} for play in batch if play not in early and acks[play['playId']]['result'] == 'rejected']
        state['outbox'] = rest + early
        save(path, state)
        if len(early) == len(batch): return # they go out with the next round

def main(url, mac, key, path, rounds='0', seconds='8'):
    state = json.load(open(path)) if os.path.exists(path) else {'sequence': 0, 'outbox': [], 'rejected': []}
    wait, left = 1, int(rounds) or float('inf')
    while left:
        try:
            link = Link(url, {'clientType': 'player', 'macAddress': mac, 'key': key})
            link.plan = link.ask('get-player-data')
            while left:
                time.sleep(float(seconds)) # here a real player shows the files
                health = link.ask('device-health', {'at': iso(time.time()), 'gpsFix': False})
                show(link.plan, time.time() - health['clockOffsetMs'] / 1000, float(seconds), state)
                save(path, state) # before sending: a power cut loses nothing
                flush(link, path, state)
                wait, left = 1, left - 1
        except OSError as error:
            print(error, file=sys.stderr)
            time.sleep(wait * random.uniform(0.5, 1))
            wait = min(60, wait * 2)

if __name__ == '__main__': main(*sys.argv[1:])
