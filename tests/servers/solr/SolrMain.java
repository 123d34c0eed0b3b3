import java.io.IOException;
import java.util.EnumSet;
import java.util.Properties;
import javax.servlet.DispatcherType;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextEvent;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.solr.servlet.CoreContainerProvider;
import org.apache.solr.servlet.SolrDispatchFilter;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;

/** Solr on loopback, without its own distribution: SolrMain PORT HOME. Ends with the process that started it. */
public class SolrMain {
  public static class NotThere extends HttpServlet {
    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
      response.sendError(404);
    }
  }

  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    String home = arguments[1];
    System.setProperty("solr.solr.home", home);
    System.setProperty("jetty.port", arguments[0]);
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(() -> System.exit(1)));

    Server server = new Server();
    HttpConfiguration http = new HttpConfiguration();
    ServerConnector loopback =
        new ServerConnector(server, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http));
    loopback.setHost("127.0.0.1");
    loopback.setPort(port);
    server.addConnector(loopback);

    ServletContextHandler solr = new ServletContextHandler(server, "/solr");
    solr.addEventListener(new CoreContainerProvider() {
      @Override
      public void contextInitialized(ServletContextEvent event) {
        Properties node = new Properties();
        node.setProperty("hostPort", arguments[0]);
        ServletContext context = event.getServletContext();
        context.setAttribute(SolrDispatchFilter.PROPERTIES_ATTRIBUTE, node);
        context.setAttribute(SolrDispatchFilter.SOLRHOME_ATTRIBUTE, home);
        super.contextInitialized(event);
      }
    });
    solr.addFilter(SolrDispatchFilter.class, "/*", EnumSet.of(DispatcherType.REQUEST));
    solr.addServlet(NotThere.class, "/"); // what Solr's filter lets pass
    server.setStopAtShutdown(true);
    server.start();
    server.join();
  }
}
