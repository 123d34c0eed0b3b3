"""The desk in a real browser: pairs settled by keyboard, undo, split, merge, lookup, and a console without errors."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import expected_conditions as expected
from selenium.webdriver.support.ui import WebDriverWait

import bibfold
from tests.service.conftest import running

HOSTILE = [
    "<script>document.title='broken'</script>",
    "\u202egnol yrev \u2066a",
    "word " * 1_000,
    "'\"><img src=x onerror=alert(1)>",
]
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900")


def doubtful(number: int) -> list[dict[str, object]]:
    """Two records whose titles share most words."""
    letter = chr(97 + number)
    words = " ".join(f"{word}{letter}" for word in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta"))
    title = f"{words} {HOSTILE[number % len(HOSTILE)]}"
    return [{"source": source, "id": str(number), "title": f"{title} {source * 3}{letter}"} for source in ("a", "b")]


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not (program and driver):
        assert not os.environ.get("CI"), "no chromium and chromedriver: install Debian's chromium-driver"
        pytest.skip("the browser tests need chromium and chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options, webdriver.ChromeService(driver))
    yield started
    started.quit()


@pytest.fixture
def desk(browser: webdriver.Chrome, tmp_path: Path) -> Iterator[str]:
    unsure = {"profile": "mendeley-title", "same": 1.0, "unsure": 0.5}
    with bibfold.open(tmp_path / "cat", create=True, **unsure) as catalogue:
        catalogue.ingest([record for number in range(12) for record in doubtful(number)])
        assert len(catalogue.reviews()) == 12
    with running(tmp_path / "cat") as address:
        yield address
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def text(browser: webdriver.Chrome) -> str:
    return browser.find_element(By.TAG_NAME, "main").text


def press(browser: webdriver.Chrome, key: str, shows: str) -> None:
    browser.find_element(By.TAG_NAME, "body").send_keys(key)
    wait(browser, shows)


def wait(browser: webdriver.Chrome, shows: str) -> None:
    WebDriverWait(browser, 20).until(expected.text_to_be_present_in_element((By.TAG_NAME, "main"), shows))


def test_ten_pairs_are_settled_by_keyboard_and_one_is_undone(browser: webdriver.Chrome, desk: str) -> None:
    browser.get(desk)
    assert "12 to decide" in text(browser)
    press(browser, "u", "1 skipped")
    for left in range(11, 1, -1):
        press(browser, "s" if left % 2 else "d", f"{left} to decide")
    assert "Decided:" in text(browser)
    press(browser, "z", "3 to decide")
    assert browser.title == "Review – bibfold"


def test_a_cluster_is_merged_split_and_looked_up(browser: webdriver.Chrome, desk: str) -> None:
    browser.get(f"{desk}/clusters/c1")
    browser.find_element(By.NAME, "other").send_keys("c2", Keys.ENTER)
    wait(browser, "2 records")
    browser.find_elements(By.NAME, "record")[1].click()
    browser.find_element(By.XPATH, "//button[contains(., 'Split')]").click()
    wait(browser, "1 records")
    browser.get(f"{desk}/lookup")
    browser.find_element(By.ID, "text").send_keys("alphac betac gammac")
    browser.find_element(By.XPATH, "//button[contains(., 'Look up')]").click()
    wait(browser, "Decision:")
    assert browser.find_elements(By.CSS_SELECTOR, ".candidates > li")


@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_is_wider_than_its_window_and_no_title_becomes_markup(
    browser: webdriver.Chrome, desk: str, width: int
) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    for path in ("/", "/?after=1", "/?after=2", "/?after=3", "/clusters/c1", "/lookup", "/overview", "/docs", "/login"):
        browser.get(desk + path)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        assert not browser.find_elements(By.CSS_SELECTOR, "main script, main img")
        assert browser.title != "broken"
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
