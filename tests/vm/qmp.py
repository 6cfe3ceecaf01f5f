"""QEMU's control socket (QMP), as much of it as the guests need."""
import json
import socket
import time


class QmpError(Exception):
    pass


class Qmp:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.file = self.socket.makefile('rw')
        self.file.readline()
        self.ask('qmp_capabilities')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.file.close()
        self.socket.close()

    def ask(self, command, **arguments):
        """One command; its answer. Events on the way are dropped."""
        request = {'execute': command}
        if arguments:
            request['arguments'] = arguments
        self.file.write(json.dumps(request) + '\n')
        self.file.flush()
        while line := self.file.readline():
            answer = json.loads(line)
            if 'return' in answer:
                return answer['return']
            if 'error' in answer:
                raise QmpError(f"{command}: {answer['error']['desc']}")
        raise QmpError(f'{command}: QEMU hung up')

    def monitor(self, text):
        """One command of the human monitor; it knows devices by the syntax of -device."""
        answer = self.ask('human-monitor-command', **{'command-line': text}).strip()
        if answer.startswith('Error'):
            raise QmpError(f'{text}: {answer}')
        return answer

    def save(self, path):
        """Stop the guest and write its state into a file."""
        self.ask('stop')
        self.ask('migrate', uri=f"exec:cat >'{path}'")
        while (status := self.ask('query-migrate')['status']) != 'completed':
            if status == 'failed':
                raise QmpError("the guest's state was not saved")
            time.sleep(0.05)

    def resume(self, devices):
        """Wait for the incoming state, add devices to it, go on."""
        while self.ask('query-status')['status'] == 'inmigrate':
            time.sleep(0.01)
        for device in devices:
            self.monitor('device_add ' + device)
        self.ask('cont')
